-- Exported by redexter.

entry gradientBias [n] [d] (x: [n][d]f64) (y: [n]f64) (w: [d]f64) (b: f64) : f64 =
  2f64
    * reduce (+) 0f64 (tabulate n (\i ->
       b + reduce (+) 0f64 (tabulate d (\j -> w[j] * x[i, j])) - y[i]))
