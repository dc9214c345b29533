-- Exported by redexter.

entry gradient [m] [n] (a: [m][n]f64) (v: [m]f64) (u: [n]f64) : [n]f64 =
  #[unsafe]
  let table = tabulate m (\i -> tabulate n (\j -> v[i] * u[j])) in
  tabulate n (\i ->
    f64.sum (tabulate m (\i1 -> v[i1] * ((1f64 - a[i1, i] / table[i1, i]) / table[i1, i]))))
