-- Exported by redexter.

entry total [n] (v: [n]f64) : f64 =
  f64.sum v

entry dot [n] (v: [n]f64) (w: [n]f64) : f64 =
  #[unsafe]
  1f64 + f64.sum (tabulate n (\i -> (if v[i] > 0f64 then v[i] * w[i] else 0f64) - w[i]))

entry matrix_vector [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 =
  #[unsafe]
  tabulate n (\i -> f64.sum (tabulate m (\i1 -> a[i, i1] * x[i1])))

entry gradient [n] (v: [n]f64) : [n]f64 =
  #[unsafe]
  tabulate n (\i ->
    (reduce (\(a1, a2) (b1, b2) -> (a1 + b1, a2 + b2)) (0f64, 0f64)
       (tabulate n (\i1 ->
          let x = (v[i1], if i == i1 then 1f64 else 0f64) in
          (x.0 * x.0, x.0 * x.1 + x.1 * x.0)))).1)
