-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradientQ [n] [d] [k]
    (x: [n][d]f64)
    (m: i64)
    (gamma: f64)
    (alpha: [k]f64)
    (mu: [k][d]f64)
    (q: [k][d]f64)
    (l: [k][d][d]f64) : [k][d]f64 =
  if k >= 1i64
  then
    #[unsafe]
    let table = tabulate k (\c -> tabulate d (\i -> f64.exp q[c, i]))
    let factor =
      tabulate k (\c ->
        tabulate d (\i ->
          tabulate d (\j -> if j < i then l[c, i, j] else if i == j then table[c, i] else 0f64)))
    let logs = tabulate k (\c -> f64.sum q[c])
    let table1 = tabulate n (\i -> tabulate k (\c -> tabulate d (\j -> x[i, j] - mu[c, j])))
    let table2 =
      tabulate n (\i ->
        tabulate k (\c ->
          tabulate d (\a -> f64.sum (tabulate d (\b -> table1[i, c, b] * factor[c, a, b])))))
    let table3 =
      tabulate n (\i ->
        tabulate k (\c ->
          logs[c]
            + (alpha[c] - 0.5f64 * f64.sum (tabulate d (\a -> table2[i, c, a] * table2[i, c, a])))))
    let table4 = tabulate n (\i -> f64_argmax table3[i])
    let table5 =
      tabulate n (\i ->
        f64.floor
          (if f64.abs table3[i, table4[i]] <= 1.7976931348623157e308f64
           then table3[i, table4[i]]
           else 0f64))
    let table6 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table3[i, i1] - table5[i])))
    let table7 = tabulate n (\i -> f64.sum table6[i])
    let table8 = tabulate n (\i -> tabulate k (\i1 -> table6[i, i1] / table7[i]))
    let x1 = 0.5f64 * gamma * gamma
    let table9 =
      let sums = reduce (map2 (+)) (replicate k 0f64) table8 in
      tabulate k (\i -> f64.i64 m + sums[i])
    let sums =
      reduce (map2 (map2 (+))) (replicate k (replicate d 0f64))
        (tabulate n (\i ->
           tabulate k (\i1 ->
             tabulate d (\j -> table8[i, i1] * table2[i, i1, j] * table1[i, i1, j])))) in
    tabulate k (\i ->
      tabulate d (\j -> table9[i] + table[i, j] * ((-(2f64 * x1 * factor[i, j, j])) - sums[i, j])))
  else assert (k >= 1i64)
      (replicate k (replicate d 0f64))
