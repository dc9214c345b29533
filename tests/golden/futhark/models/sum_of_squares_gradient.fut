-- Exported by redexter.

entry gradient [n] (v: [n]f64) : [n]f64 =
  #[unsafe]
  tabulate n (\i -> 2f64 * v[i])
