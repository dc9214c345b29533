-- Exported by redexter.

entry jacobianByVector [n] [m] (a: [n][m]f64) (x: [m]f64) : [m][n]f64 =
  tabulate m (\i -> tabulate n (\j -> a[j, i]))
