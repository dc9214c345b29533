-- Exported by redexter.

entry gradient [n] [d] [o] [g] [h]
    (x: [n][d]f64)
    (y: [n][o]f64)
    (w1: [g][d]f64)
    (b1: [g]f64)
    (w2: [h][g]f64)
    (b2: [h]f64)
    (w3: [o][h]f64)
    (b3: [o]f64) : ([g][d]f64, [g]f64, [h][g]f64, [h]f64, [o][h]f64, [o]f64) =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate g (\i1 -> f64.tanh (b1[i1] + f64.sum (tabulate d (\j -> w1[i1, j] * x[i, j])))))
  let table1 =
    tabulate n (\i ->
      tabulate h (\i1 -> f64.tanh (b2[i1] + f64.sum (tabulate g (\j -> table[i, j] * w2[i1, j])))))
  let table2 =
    tabulate n (\i ->
      tabulate o (\k -> b3[k] + f64.sum (tabulate h (\j -> w3[k, j] * table1[i, j])) - y[i, k]))
  let table3 =
    tabulate h (\i ->
      tabulate n (\i1 ->
        2f64 * f64.sum (tabulate o (\k -> table2[i1, k] * w3[k, i]))
          * (1f64 - table1[i1, i] * table1[i1, i])))
  let table4 =
    tabulate g (\i ->
      tabulate n (\i1 ->
        f64.sum (tabulate h (\i2 -> table3[i2, i1] * w2[i2, i]))
          * (1f64 - table[i1, i] * table[i1, i]))) in
  (tabulate g (\i -> tabulate d (\j -> f64.sum (tabulate n (\i1 -> table4[i, i1] * x[i1, j])))),
   tabulate g (\i -> f64.sum table4[i]),
   tabulate h (\i -> tabulate g (\j -> f64.sum (tabulate n (\i1 -> table3[i, i1] * table[i1, j])))),
   tabulate h (\i -> f64.sum table3[i]),
   tabulate o (\i ->
     tabulate h (\j -> 2f64 * f64.sum (tabulate n (\i1 -> table2[i1, i] * table1[i1, j])))),
   let sums = reduce (map2 (+)) (replicate o 0f64) table2 in
   tabulate o (\i -> 2f64 * sums[i]))
