-- Exported by redexter.

entry total [n] (v: [n]f64) : f64 =
  #[unsafe]
  loop acc = 0f64 for i < n do acc + v[i]

entry dot [n] (v: [n]f64) (w: [n]f64) : f64 =
  #[unsafe]
  loop acc = 1f64 for i < n do (if v[i] > 0f64 then v[i] * w[i] + acc else acc) - w[i]

entry matrix_vector [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 =
  #[unsafe]
  tabulate n (\i -> loop acc = 0f64 for i1 < m do acc + a[i, i1] * x[i1])

entry gradient [n] (v: [n]f64) : [n]f64 =
  #[unsafe]
  tabulate n (\i ->
    (loop acc = (0f64, 0f64) for i1 < n do
       let x = (v[i1], if i == i1 then 1f64 else 0f64) in
       (acc.0 + x.0 * x.0, acc.1 + (x.0 * x.1 + x.1 * x.0))).1)
