-- Exported by redexter.

entry gradient [n] (v: [n]f64) : [n]f64 =
  tabulate n (\i -> v[i] + v[i])
