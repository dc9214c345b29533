-- Exported by redexter.

entry gradientB1 [n] [d] [h]
    (x: [n][d]f64)
    (y: [n]f64)
    (w1: [h][d]f64)
    (b1: [h]f64)
    (w2: [h]f64)
    (b2: f64) : [h]f64 =
  let table =
    tabulate n (\i ->
      tabulate h (\k ->
        f64.tanh (b1[k] + reduce (+) 0f64 (tabulate d (\j -> w1[k, j] * x[i, j]))))) in
  let table1 =
    tabulate n (\i -> b2 + reduce (+) 0f64 (tabulate h (\k -> w2[k] * table[i, k])) - y[i]) in
  tabulate h (\i ->
    2f64 * w2[i]
      * reduce (+) 0f64 (tabulate n (\i1 -> table1[i1] * (1f64 - table[i1, i] * table[i1, i]))))
