-- Exported by redexter.

entry gradient [n] [m] (t: [n]f64) (s: [n]f64) (x: [m]f64) : [m]f64 =
  let table = tabulate n (\i -> tabulate m (\j -> t[i] ** f64.i64 j)) in
  let table1 = tabulate n (\i -> s[i] - reduce (+) 0f64 (tabulate m (\j -> x[j] * table[i, j]))) in
  tabulate m (\i -> -(reduce (+) 0f64 (tabulate n (\i1 -> table1[i1] * table[i1, i]))))
