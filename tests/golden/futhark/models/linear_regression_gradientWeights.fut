-- Exported by redexter.

entry gradientWeights [n] [d] (x: [n][d]f64) (y: [n]f64) (w: [d]f64) (b: f64) : [d]f64 =
  #[unsafe]
  let table = tabulate n (\i -> b + f64.sum (tabulate d (\j -> w[j] * x[i, j])) - y[i])
  let sums =
    reduce (map2 (+)) (replicate d 0f64)
      (tabulate n (\i -> tabulate d (\i1 -> table[i] * x[i, i1]))) in
  tabulate d (\i -> 2f64 * sums[i])
