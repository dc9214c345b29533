-- Exported by redexter.

entry gradient [n] (_: [n]f64) : [n]f64 =
  replicate n 1f64
