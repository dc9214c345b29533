-- Exported by redexter.

def f64_argmin [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if y < x then (y, k) else (x, i)) (f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then -f64.inf else f64.inf, i))
        v (iota n)) in
  best.1

entry gradientSecond [n] [d] [k] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  if k >= 1i64
  then
    #[unsafe]
    let table =
      tabulate n (\i -> tabulate k (\j -> tabulate d (\c -> points[i, c] - centres[j, c])))
    let table1 =
      tabulate n (\i ->
        tabulate k (\j -> f64.sum (tabulate d (\c -> table[i, j, c] * table[i, j, c]))))
    let table2 = tabulate n (\i -> f64_argmin table1[i])
    let table3 =
      let sums = hist (+) 0f64 k table2 (replicate n 1f64) in
      tabulate k (\i -> 2f64 * sums[i]) in
    tabulate k (\i -> tabulate d (\_ -> table3[i]))
  else assert (k >= 1i64)
      (replicate k (replicate d 0f64))
