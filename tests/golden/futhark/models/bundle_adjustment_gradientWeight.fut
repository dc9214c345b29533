-- Exported by redexter.

entry gradientWeight (w: f64) : f64 =
  -(2f64 * w)
