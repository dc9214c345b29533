-- Exported by redexter.

entry gradientB2 [n] [d] [o] [g] [h]
    (x: [n][d]f64)
    (y: [n][o]f64)
    (w1: [g][d]f64)
    (b1: [g]f64)
    (w2: [h][g]f64)
    (b2: [h]f64)
    (w3: [o][h]f64)
    (b3: [o]f64) : [h]f64 =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate g (\i1 -> f64.tanh (b1[i1] + f64.sum (tabulate d (\j -> w1[i1, j] * x[i, j])))))
  let table1 =
    tabulate n (\i ->
      tabulate h (\i1 -> f64.tanh (b2[i1] + f64.sum (tabulate g (\j -> table[i, j] * w2[i1, j])))))
  let table2 =
    tabulate n (\i ->
      tabulate o (\k -> b3[k] + f64.sum (tabulate h (\j -> w3[k, j] * table1[i, j])) - y[i, k])) in
  tabulate h (\i ->
    2f64
      * f64.sum (tabulate n (\i1 ->
         (1f64 - table1[i1, i] * table1[i1, i])
           * f64.sum (tabulate o (\k -> table2[i1, k] * w3[k, i])))))
