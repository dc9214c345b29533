-- Exported by redexter.

entry gradient [n] (v: [n]f64) : [n]f64 =
  assert (n >= 1i64)
    (let m = v[loop best = 0i64 for i < n do if v[best] < v[i] then i else best] in
     let t = reduce (+) 0f64 (tabulate n (\i -> f64.exp (v[i] - m))) in
     tabulate n (\i -> f64.exp (v[i] - m) / t))
