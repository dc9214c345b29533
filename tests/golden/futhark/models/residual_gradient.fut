-- Exported by redexter.

entry gradient [n] [h]
    (x: [n][h]f64)
    (y: [n][h]f64)
    (w1: [h][h]f64)
    (b1: [h]f64)
    (w2: [h][h]f64)
    (b2: [h]f64)
    (w3: [h][h]f64)
    (b3: [h]f64) : ([h][h]f64, [h]f64, [h][h]f64, [h]f64, [h][h]f64, [h]f64) =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate h (\i1 -> f64.tanh (b1[i1] + f64.sum (tabulate h (\j -> w1[i1, j] * x[i, j])))))
  let table1 = tabulate n (\i -> tabulate h (\i1 -> table[i, i1] + x[i, i1]))
  let table2 =
    tabulate n (\i ->
      tabulate h (\i1 -> f64.tanh (b2[i1] + f64.sum (tabulate h (\j -> w2[i1, j] * table1[i, j])))))
  let table3 = tabulate n (\i -> tabulate h (\i1 -> table2[i, i1] + table1[i, i1]))
  let table4 =
    tabulate n (\i ->
      tabulate h (\i1 -> f64.tanh (b3[i1] + f64.sum (tabulate h (\j -> w3[i1, j] * table3[i, j])))))
  let dtable = tabulate n (\i -> tabulate h (\k -> 2f64 * (table4[i, k] + table3[i, k] - y[i, k])))
  let dtable1 =
    tabulate n (\i -> tabulate h (\i1 -> dtable[i, i1] * (1f64 - table4[i, i1] * table4[i, i1])))
  let dtable2 =
    tabulate n (\i ->
      tabulate h (\i1 -> dtable[i, i1] + f64.sum (tabulate h (\i2 -> w3[i2, i1] * dtable1[i, i2]))))
  let dtable3 =
    tabulate n (\i -> tabulate h (\i1 -> dtable2[i, i1] * (1f64 - table2[i, i1] * table2[i, i1])))
  let dtable4 =
    tabulate n (\i ->
      tabulate h (\i1 ->
        (1f64 - table[i, i1] * table[i, i1])
          * (dtable2[i, i1] + f64.sum (tabulate h (\i2 -> w2[i2, i1] * dtable3[i, i2]))))) in
  (tabulate h (\i -> tabulate h (\i1 -> f64.sum (tabulate n (\i2 -> dtable4[i2, i] * x[i2, i1])))),
   reduce (map2 (+)) (replicate h 0f64) dtable4,
   tabulate h (\i ->
     tabulate h (\i1 -> f64.sum (tabulate n (\i2 -> dtable3[i2, i] * table1[i2, i1])))),
   reduce (map2 (+)) (replicate h 0f64) dtable3,
   tabulate h (\i ->
     tabulate h (\i1 -> f64.sum (tabulate n (\i2 -> dtable1[i2, i] * table3[i2, i1])))),
   reduce (map2 (+)) (replicate h 0f64) dtable1)
