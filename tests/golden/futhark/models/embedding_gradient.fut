-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradient [n] [v] [d]
    (word: [n]i64)
    (next: [n]i64)
    (e: [v][d]f64)
    (w: [v][d]f64) : ([v][d]f64, [v][d]f64) =
  if v >= 1i64 && all (\x -> 0i64 <= x && x < v) word && all (\x -> 0i64 <= x && x < v) next
  then
    #[unsafe]
    let table =
      tabulate n (\i -> tabulate v (\c -> f64.sum (tabulate d (\j -> w[c, j] * e[word[i], j]))))
    let table1 = tabulate n (\i -> f64_argmax table[i])
    let table2 =
      tabulate n (\i ->
        f64.floor
          (if f64.abs table[i, table1[i]] <= 1.7976931348623157e308f64
           then table[i, table1[i]]
           else 0f64))
    let table3 = tabulate n (\i -> tabulate v (\i1 -> f64.exp (table[i, i1] - table2[i])))
    let table4 = tabulate n (\i -> f64.sum table3[i])
    let table5 =
      tabulate n (\i ->
        tabulate v (\i1 ->
          if next[i] == i1
          then (-1f64) + table3[i, i1] / table4[i]
          else table3[i, i1] / table4[i])) in
    (hist (map2 (+)) (replicate d 0f64) v
       word
       (tabulate n (\i ->
          tabulate d (\j -> f64.sum (tabulate v (\i1 -> table5[i, i1] * w[i1, j]))))),
     tabulate v (\i ->
       tabulate d (\j -> f64.sum (tabulate n (\i1 -> table5[i1, i] * e[word[i1], j])))))
  else assert (v >= 1i64 && all (\x -> 0i64 <= x && x < v) word
       && all (\x -> 0i64 <= x && x < v) next)
      ((replicate v (replicate d 0f64), replicate v (replicate d 0f64)))
