-- Exported by redexter.

entry gradient [n] (v: [n]f64) : [n]f64 =
  assert (n >= 1i64)
    (let i = loop best = 0i64 for i < n do if v[best] < v[i] then i else best in
     let t = tabulate n (\i1 -> f64.exp (v[i1] - v[i])) in
     let x = reduce (+) 0f64 t in
     tabulate n (\i1 -> t[i1] / x))
