-- Exported by redexter.

entry gradientWeights [n] [d] (x: [n][d]f64) (y: [n]f64) (w: [d]f64) (b: f64) : [d]f64 =
  #[unsafe]
  let table = tabulate n (\i -> b + f64.sum (tabulate d (\j -> w[j] * x[i, j])) - y[i]) in
  tabulate d (\i -> 2f64 * f64.sum (tabulate n (\i1 -> table[i1] * x[i1, i])))
