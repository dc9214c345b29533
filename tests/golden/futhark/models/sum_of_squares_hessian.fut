-- Exported by redexter.

entry hessian [n] (_: [n]f64) : [n][n]f64 =
  tabulate n (\i -> tabulate n (\i1 -> if i1 == i then 2f64 else 0f64))
