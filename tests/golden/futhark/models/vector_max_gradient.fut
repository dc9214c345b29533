-- Exported by redexter.

entry gradient [n] (v: [n]f64) : [n]f64 =
  assert (n >= 1i64)
    (let i = loop best = 0i64 for i < n do if v[best] < v[i] then i else best in
     tabulate n (\i1 -> if i1 == i then 1f64 else 0f64))
