-- Exported by redexter.

entry sizes [n] [m] [size] [size1]
    (k: i64)
    (v: [n]f64)
    (w: [m]f64)
    (u: [size]f64)
    (rows: [size1](f64, [size]f64)) : ([]f64, []f64, i64) =
  let k_plus_1 = k + 1i64 in
  let n_plus_1 = n + 1i64 in
  let m_plus_n = n + m in
  let u = u :> [m_plus_n]f64 in
  let rows = rows :> [k_plus_1](f64, [m_plus_n]f64) in
  (tabulate m_plus_n (\i -> u[i] + ((rows[0i64]).1)[i]),
   tabulate n_plus_1 (\i -> f64.i64 (i + 2i64)),
   2i64 + k + n)

entry fill (rows: i64) (loop_: i64) (x: f64) : [rows][loop_]f64 =
  tabulate rows (\_ -> tabulate loop_ (\_ -> x))

entry argmax [n] (v: [n]f64) : i64 =
  assert (n >= 1i64)
    (loop acc = 0i64 for i < n do if v[i] > v[acc] then i else acc)

entry empties [n] (v: [n](f64, i64)) : ([0][n](f64, i64), [2][n](f64, i64), [0][n](f64, i64)) =
  (([] : [0][n](f64, i64)), [v, v], tabulate 0 (\_ -> v))
