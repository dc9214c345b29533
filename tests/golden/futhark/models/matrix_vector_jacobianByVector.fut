-- Exported by redexter.

entry jacobianByVector [n] [m] (a: [n][m]f64) (_: [m]f64) : [m][n]f64 =
  #[unsafe]
  tabulate m (\i -> tabulate n (\i1 -> a[i1, i]))
