-- Exported by redexter.

entry gradient [n] (v: [n]f64) : [n]f64 =
  assert (n >= 1i64)
    (let i = loop best = 0i64 for i < n do if v[best] < v[i] then i else best in
     let shift = f64.floor (if f64.abs v[i] <= 1.7976931348623157e308f64 then v[i] else 0f64) in
     let table = tabulate n (\i1 -> f64.exp (v[i1] - shift)) in
     let x = reduce (+) 0f64 table in
     tabulate n (\i1 -> table[i1] / x))
