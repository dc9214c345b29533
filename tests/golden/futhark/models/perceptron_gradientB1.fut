-- Exported by redexter.

entry gradientB1 [n] [d] [h]
    (x: [n][d]f64)
    (y: [n]f64)
    (w1: [h][d]f64)
    (b1: [h]f64)
    (w2: [h]f64)
    (b2: f64) : [h]f64 =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate h (\k -> f64.tanh (b1[k] + f64.sum (tabulate d (\j -> w1[k, j] * x[i, j])))))
  let table1 = tabulate n (\i -> b2 + f64.sum (tabulate h (\k -> w2[k] * table[i, k])) - y[i])
  let sums =
    reduce (map2 (+)) (replicate h 0f64)
      (tabulate n (\i -> tabulate h (\i1 -> table1[i] * (1f64 - table[i, i1] * table[i, i1])))) in
  tabulate h (\i -> 2f64 * w2[i] * sums[i])
