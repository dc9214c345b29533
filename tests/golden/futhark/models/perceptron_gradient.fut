-- Exported by redexter.

entry gradient [n] [d] [h]
    (x: [n][d]f64)
    (y: [n]f64)
    (w1: [h][d]f64)
    (b1: [h]f64)
    (w2: [h]f64)
    (b2: f64) : ([h][d]f64, [h]f64, [h]f64, f64) =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate h (\k -> f64.tanh (b1[k] + f64.sum (tabulate d (\j -> w1[k, j] * x[i, j])))))
  let table1 =
    tabulate n (\i -> 2f64 * (b2 + f64.sum (tabulate h (\k -> w2[k] * table[i, k])) - y[i]))
  let table2 =
    tabulate h (\i ->
      tabulate n (\i1 -> w2[i] * table1[i1] * (1f64 - table[i1, i] * table[i1, i]))) in
  (tabulate h (\i -> tabulate d (\j -> f64.sum (tabulate n (\i1 -> table2[i, i1] * x[i1, j])))),
   let sums =
     reduce (map2 (+)) (replicate h 0f64)
       (tabulate n (\i -> tabulate h (\i1 -> table1[i] * (1f64 - table[i, i1] * table[i, i1])))) in
   tabulate h (\i -> w2[i] * sums[i]),
   reduce (map2 (+)) (replicate h 0f64)
     (tabulate n (\i -> tabulate h (\i1 -> table1[i] * table[i, i1]))),
   f64.sum table1)
