-- Exported by redexter.

entry hessian [n] (v: [n]f64) : [n][n]f64 =
  tabulate n (\i -> tabulate n (\j -> if i == j then 1f64 + 1f64 else 0f64))
