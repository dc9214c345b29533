-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (y: [n]f64) (delta: f64) (w: [d]f64) : [d]f64 =
  let table = tabulate n (\i -> reduce (+) 0f64 (tabulate d (\j -> w[j] * x[i, j])) - y[i]) in
  let x1 = -delta in
  let table1 =
    tabulate n (\i -> if table[i] < x1 then x1 else if table[i] > delta then delta else table[i]) in
  tabulate d (\i -> reduce (+) 0f64 (tabulate n (\i1 -> table1[i1] * x[i1, i])))
