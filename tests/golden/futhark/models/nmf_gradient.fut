-- Exported by redexter.

entry gradient [m] [n] (a: [m][n]f64) (v: [m]f64) (u: [n]f64) : [n]f64 =
  #[unsafe]
  let table = tabulate m (\i -> tabulate n (\j -> v[i] * u[j])) in
  reduce (map2 (+)) (replicate n 0f64)
    (tabulate m (\i ->
       tabulate n (\i1 -> v[i] * ((1f64 - a[i, i1] / table[i, i1]) / table[i, i1]))))
