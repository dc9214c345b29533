-- Exported by redexter.

entry gradient [n] (v: [n]f64) : [n]f64 =
  assert (n >= 1i64)
    (let i = loop best = 0i64 for i < n do if v[best] < v[i] then i else best in
     let table = tabulate n (\i1 -> f64.exp (v[i1] - v[i])) in
     let x = reduce (+) 0f64 table in
     tabulate n (\i1 -> table[i1] / x))
