-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry sizes [n] [m] [size] [size1]
    (k: i64)
    (_: [n]f64)
    (_: [m]f64)
    (u: [size]f64)
    (rows: [size1](f64, [size]f64)) : ([]f64, []f64, i64) =
  let k_plus_1 = k + 1i64
  let n_plus_1 = n + 1i64
  let m_plus_n = n + m
  let u = u :> [m_plus_n]f64
  let rows = rows :> [k_plus_1](f64, [m_plus_n]f64) in
  assert (k >= 0i64)
    (#[unsafe]
     (tabulate m_plus_n (\i -> u[i] + ((rows[0i64]).1)[i]),
      tabulate n_plus_1 (\i -> f64.i64 (i + 2i64)),
      2i64 + k + n))

entry fill (rows: i64) (loop_: i64) (x: f64) : [rows][loop_]f64 =
  assert (rows >= 0i64 && loop_ >= 0i64)
    (replicate rows (replicate loop_ x))

entry argmax [n] (v: [n]f64) : i64 =
  assert (n >= 1i64)
    (f64_argmax v)

entry empties [n] (v: [n](f64, i64)) : ([0][n](f64, i64), [2][n](f64, i64), [0][n](f64, i64)) =
  assert (all (\x -> 0i64 <= x.1 && x.1 < n) v)
    ((([] : [0][n](f64, i64)), [v, v], replicate 0 v))
