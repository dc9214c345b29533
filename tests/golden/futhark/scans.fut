-- Exported by redexter.

entry sums [n] (v: [n]f64) : (f64, [n]f64) =
  (f64.sum v, scan (+) 0f64 v)

entry backwards [n] (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  (f64.product v,
   reverse (scan (*) 1f64 (tabulate n (\i -> if i == 0i64 then 1f64 else v[n - i]))))

entry pairs [n] (v: [n]f64) : (f64, i64, [n]i64, [n]f64) =
  #[unsafe]
  let result =
    loop (s: (f64, i64), kept: *[n](i64, f64)) = ((0f64, 2i64),
       tabulate n (\_ -> (0i64, 0f64))) for round < n do
      let i = n - 1i64 - round in
      ((v[i], s.1), kept with [i] = (s.1, s.0)) in
  ((result.0).0,
   (result.0).1,
   tabulate n (\i1 -> ((result.1)[i1]).0),
   tabulate n (\i1 -> ((result.1)[i1]).1))

entry chosen [n] (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  loop (s: f64, kept: *[n]f64) = (0.5f64, replicate n 0f64) for i < n do
    let step = if v[i] > s then (v[i], s) else (s, 0f64) in
    (step.0, kept with [i] = step.1)
