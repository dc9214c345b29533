-- Exported by redexter.

entry gradientRight [n] [m] [k] (a: [n][m]f64) (u: [n][k]f64) (v: [k][m]f64) : [k][m]f64 =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate m (\j -> a[i, j] - f64.sum (tabulate k (\l -> v[l, j] * u[i, l])))) in
  tabulate k (\i ->
    tabulate m (\j -> -(2f64 * f64.sum (tabulate n (\i1 -> table[i1, j] * u[i1, i])))))
