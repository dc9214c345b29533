-- Exported by redexter.

entry gradientSecond [n] (v: [n]f64) (_: [n]f64) : [n]f64 =
  v
