-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (y: [n]f64) (a: f64) (b: f64) (w: [d]f64) : [d]f64 =
  let table = tabulate n (\i -> reduce (+) 0f64 (tabulate d (\j -> w[j] * x[i, j]))) in
  let table1 = tabulate n (\i -> f64.exp (-table[i])) in
  let table2 = tabulate n (\i -> f64.exp table[i]) in
  let table3 =
    tabulate n (\i ->
      (if table[i] > 0f64
       then 1f64 - table1[i] / (1f64 + table1[i])
       else table2[i] / (1f64 + table2[i]))
        - y[i]) in
  let table4 = 2f64 * b in
  let table5 = -a in
  tabulate d (\i ->
    table4 * w[i] + (if w[i] < 0f64 then table5 else a)
      + reduce (+) 0f64 (tabulate n (\i1 -> table3[i1] * x[i1, i])))
