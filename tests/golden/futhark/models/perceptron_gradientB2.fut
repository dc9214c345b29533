-- Exported by redexter.

entry gradientB2 [n] [d] [h]
    (x: [n][d]f64)
    (y: [n]f64)
    (w1: [h][d]f64)
    (b1: [h]f64)
    (w2: [h]f64)
    (b2: f64) : f64 =
  2f64
    * reduce (+) 0f64 (tabulate n (\i ->
       b2
         + reduce (+) 0f64 (tabulate h (\k ->
            w2[k] * f64.tanh (b1[k] + reduce (+) 0f64 (tabulate d (\j -> w1[k, j] * x[i, j])))))
         - y[i]))
