-- Exported by redexter.

entry gradient [n] [m] (t: [n]f64) (s: [n]f64) (x: [m]f64) : [m]f64 =
  #[unsafe]
  let table = tabulate n (\i -> tabulate m (\j -> t[i] ** f64.i64 j))
  let table1 = tabulate n (\i -> s[i] - f64.sum (tabulate m (\j -> x[j] * table[i, j]))) in
  tabulate m (\i -> -(f64.sum (tabulate n (\i1 -> table1[i1] * table[i1, i]))))
