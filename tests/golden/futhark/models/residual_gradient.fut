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
  let table =
    tabulate n (\i ->
      tabulate h (\i1 ->
        f64.tanh (b1[i1] + reduce (+) 0f64 (tabulate h (\j -> w1[i1, j] * x[i, j]))))) in
  let table1 = tabulate n (\i -> tabulate h (\i1 -> table[i, i1] + x[i, i1])) in
  let table2 =
    tabulate n (\i ->
      tabulate h (\i1 ->
        f64.tanh (b2[i1] + reduce (+) 0f64 (tabulate h (\j -> w2[i1, j] * table1[i, j]))))) in
  let table3 = tabulate n (\i -> tabulate h (\i1 -> table2[i, i1] + table1[i, i1])) in
  let table4 =
    tabulate n (\i ->
      tabulate h (\i1 ->
        f64.tanh (b3[i1] + reduce (+) 0f64 (tabulate h (\j -> w3[i1, j] * table3[i, j]))))) in
  let table5 = tabulate n (\i -> tabulate h (\k -> table4[i, k] + table3[i, k] - y[i, k])) in
  let table6 =
    tabulate h (\i -> tabulate n (\i1 -> table5[i1, i] * (1f64 - table4[i1, i] * table4[i1, i]))) in
  let table7 =
    tabulate n (\i ->
      tabulate h (\i1 ->
        2f64 * table5[i, i1]
          + 2f64 * reduce (+) 0f64 (tabulate h (\i2 -> table6[i2, i] * w3[i2, i1])))) in
  let table8 =
    tabulate h (\i -> tabulate n (\i1 -> table7[i1, i] * (1f64 - table2[i1, i] * table2[i1, i]))) in
  let table9 =
    tabulate h (\i ->
      tabulate n (\i1 ->
        (table7[i1, i] + reduce (+) 0f64 (tabulate h (\i2 -> table8[i2, i1] * w2[i2, i])))
          * (1f64 - table[i1, i] * table[i1, i]))) in
  (tabulate h (\i ->
     tabulate h (\j -> reduce (+) 0f64 (tabulate n (\i1 -> table9[i, i1] * x[i1, j])))),
   tabulate h (\i -> reduce (+) 0f64 table9[i]),
   tabulate h (\i ->
     tabulate h (\j -> reduce (+) 0f64 (tabulate n (\i1 -> table8[i, i1] * table1[i1, j])))),
   tabulate h (\i -> reduce (+) 0f64 table8[i]),
   tabulate h (\i ->
     tabulate h (\j -> 2f64 * reduce (+) 0f64 (tabulate n (\i1 -> table6[i, i1] * table3[i1, j])))),
   tabulate h (\i -> 2f64 * reduce (+) 0f64 table6[i]))
