-- Exported by redexter.

entry gradientLeft [n] [m] [k] (a: [n][m]f64) (u: [n][k]f64) (v: [k][m]f64) : [n][k]f64 =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate m (\j -> a[i, j] - f64.sum (tabulate k (\l -> v[l, j] * u[i, l])))) in
  tabulate n (\i ->
    tabulate k (\j -> -(2f64 * f64.sum (tabulate m (\j1 -> table[i, j1] * v[j, j1])))))
