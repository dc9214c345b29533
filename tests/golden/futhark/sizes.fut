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
    (rows_1: [size1]f64)
    (rows_2: [size1][size]f64) : ([]f64, []f64, i64) =
  let k_plus_1 = k + 1i64
  let n_plus_1 = n + 1i64
  let m_plus_n = n + m
  let u = u :> [m_plus_n]f64
  let rows_1 = rows_1 :> [k_plus_1]f64
  let rows_2 = rows_2 :> [k_plus_1][m_plus_n]f64 in
  if k >= 0i64
  then
    #[unsafe]
    let rows = tabulate k_plus_1 (\i -> (rows_1[i], rows_2[i])) in
    (tabulate m_plus_n (\i -> u[i] + ((rows[0i64]).1)[i]),
     tabulate n_plus_1 (\i -> f64.i64 (i + 2i64)),
     2i64 + k + n)
  else assert (k >= 0i64)
      ((replicate m_plus_n 0f64, replicate n_plus_1 0f64, 0i64))

entry fill (rows: i64) (loop_: i64) (x: f64) : [rows][loop_]f64 =
  assert (rows >= 0i64 && loop_ >= 0i64)
    (replicate rows (replicate loop_ x))

entry argmax [n] (v: [n]f64) : i64 =
  assert (n >= 1i64)
    (f64_argmax v)

entry empties [n]
    (v_1: [n]f64)
    (v_2: [n]i64) : ([0][n]f64, [0][n]i64, [2][n]f64, [2][n]i64, [0][n]f64, [0][n]i64) =
  if all (\x -> 0i64 <= x && x < n) v_2
  then
    #[unsafe]
    let v = tabulate n (\i -> (v_1[i], v_2[i]))
    let result = ([] : [0][n](f64, i64))
    let result1 = [v, v]
    let result2 = replicate 0 v in
    (tabulate 0 (\i -> tabulate n (\i1 -> (result[i, i1]).0)),
     tabulate 0 (\i -> tabulate n (\i1 -> (result[i, i1]).1)),
     tabulate 2 (\i -> tabulate n (\i1 -> (result1[i, i1]).0)),
     tabulate 2 (\i -> tabulate n (\i1 -> (result1[i, i1]).1)),
     tabulate 0 (\i -> tabulate n (\i1 -> (result2[i, i1]).0)),
     tabulate 0 (\i -> tabulate n (\i1 -> (result2[i, i1]).1)))
  else assert (all (\x -> 0i64 <= x && x < n) v_2)
      ((replicate 0 (replicate n 0f64),
        replicate 0 (replicate n 0i64),
        replicate 2 (replicate n 0f64),
        replicate 2 (replicate n 0i64),
        replicate 0 (replicate n 0f64),
        replicate 0 (replicate n 0i64)))
