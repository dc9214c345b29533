-- Exported by redexter.

entry gradient [n] [d] [h]
    (x: [n][d]f64)
    (u: [h][d]f64)
    (b: [h]f64)
    (v: [d][h]f64)
    (c: [d]f64) : ([h][d]f64, [h]f64, [d][h]f64, [d]f64) =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate h (\k -> f64.tanh (b[k] + f64.sum (tabulate d (\j -> u[k, j] * x[i, j])))))
  let table1 =
    tabulate n (\i ->
      tabulate d (\j -> c[j] + f64.sum (tabulate h (\k -> v[j, k] * table[i, k])) - x[i, j]))
  let table2 =
    tabulate h (\i ->
      tabulate n (\i1 ->
        2f64 * f64.sum (tabulate d (\j -> v[j, i] * table1[i1, j]))
          * (1f64 - table[i1, i] * table[i1, i]))) in
  (tabulate h (\i -> tabulate d (\j -> f64.sum (tabulate n (\i1 -> table2[i, i1] * x[i1, j])))),
   tabulate h (\i -> f64.sum table2[i]),
   tabulate d (\i ->
     tabulate h (\j -> 2f64 * f64.sum (tabulate n (\i1 -> table1[i1, i] * table[i1, j])))),
   let sums = reduce (map2 (+)) (replicate d 0f64) table1 in
   tabulate d (\i -> 2f64 * sums[i]))
