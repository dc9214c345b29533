-- Exported by redexter.

entry gradientBias [n] [d] (x: [n][d]f64) (y: [n]f64) (w: [d]f64) (b: f64) : f64 =
  #[unsafe]
  2f64 * f64.sum (tabulate n (\i -> b + f64.sum (tabulate d (\j -> w[j] * x[i, j])) - y[i]))
