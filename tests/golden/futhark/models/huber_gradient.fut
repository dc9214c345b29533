-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (y: [n]f64) (delta: f64) (w: [d]f64) : [d]f64 =
  #[unsafe]
  let table = tabulate n (\i -> f64.sum (tabulate d (\j -> w[j] * x[i, j])) - y[i])
  let x1 = -delta
  let table1 =
    tabulate n (\i -> if table[i] < x1 then x1 else if table[i] > delta then delta else table[i]) in
  reduce (map2 (+)) (replicate d 0f64)
    (tabulate n (\i -> tabulate d (\i1 -> table1[i] * x[i, i1])))
