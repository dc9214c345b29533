-- Exported by redexter.

entry gradientByScalar [n] (v: [n]f64) (_: f64) : [n]f64 =
  v
