-- Exported by redexter.

entry jacobianByFirst [n] (v: [n]f64) (w: [n]f64) : [n][n]f64 =
  tabulate n (\i ->
    let entries = tabulate 1 (\_ -> (i, 1f64)) in
    reduce_by_index (tabulate n (\_ -> 0f64)) (+) 0f64
      (tabulate 1 (\e -> (entries[e]).0))
      (tabulate 1 (\e -> (entries[e]).1)))
