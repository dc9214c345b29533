-- Exported by redexter.

entry gradient [n] (v: [n]f64) : [n]f64 =
  assert (n >= 1i64)
    (let i = loop best = 0i64 for i < n do if v[best] < v[i] then i else best in
     let entries = tabulate 1 (\_ -> (i, 1f64)) in
     reduce_by_index (tabulate n (\_ -> 0f64)) (+) 0f64
       (tabulate 1 (\e -> (entries[e]).0))
       (tabulate 1 (\e -> (entries[e]).1)))
