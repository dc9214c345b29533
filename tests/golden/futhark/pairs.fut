-- Exported by redexter.

entry nested [size]
    (n: i64)
    (p_1: [size]f64)
    (p_2: i64)
    (p_3: f64)
    (q_1: f64)
    (q_2: f64) : (f64, f64, f64) =
  let n_plus_1 = n + 1i64
  let p_1 = p_1 :> [n_plus_1]f64 in
  if n >= 0i64
  then
    #[unsafe]
    let p = (p_1, (p_2, p_3))
    let q = (q_1, q_2)
    let result =
      loop acc = (q.0, ((p.1).1, q.1)) for i < n do
        ((acc.1).1, (acc.0, (p.0)[i + 1i64] + (acc.1).0)) in
    (result.0, (result.1).0, (result.1).1)
  else assert (n >= 0i64)
      ((0f64, 0f64, 0f64))

entry taken (p_1: f64) (p_2: f64) (p_3: f64) : (f64, f64, f64, f64) =
  let p = (p_1, (p_2, p_3)) in
  (1f64, p.0, (p.1).0, (p.1).1)
