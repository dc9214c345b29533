-- Exported by redexter.

entry product [n] (v: [n]f64) : f64 =
  2f64 * f64.product v

entry greatest [n] (v: [n]f64) : f64 =
  f64.maximum v

entry least [n] (v: [n]f64) : f64 =
  reduce f64.min f64.nan v

entry least_from [n] (v: [n]f64) : f64 =
  f64.min 0.25f64 (reduce f64.min f64.nan v)

entry chosen [n] (v: [n]f64) : (f64, f64) =
  #[unsafe]
  reduce (\(a1, a2) (b1, b2) -> (a1 + b1, a2 * b2)) (0f64, 1f64)
    (tabulate n (\i ->
       let x = v[i] in
       if x > 0f64 then (x, x) else (0f64, 1f64)))

entry rows [n] (m: i64) (v: [n]f64) : ([m]f64, i64) =
  if m >= 0i64
  then
    #[unsafe]
    let rest =
      reduce (\(a1, a2) (b1, b2) -> (map2 (+) a1 b1, a2 + b2)) (replicate m 0f64, 0i64)
        (tabulate n (\i -> (tabulate m (\i1 -> v[i] * f64.i64 i1), 3i64))) in
    (map2 (+) (replicate m 1f64) rest.0, rest.1)
  else assert (m >= 0i64)
      ((replicate m 0f64, 0i64))

entry carried [n] (v: [n]f64) : (f64, f64) =
  #[unsafe]
  loop acc = (0f64, 1f64) for i < n do (acc.0 + acc.1 * v[i], acc.1 * 0.5f64)
