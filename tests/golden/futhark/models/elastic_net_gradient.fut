-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (y: [n]f64) (a: f64) (b: f64) (w: [d]f64) : [d]f64 =
  #[unsafe]
  let table = tabulate n (\i -> f64.sum (tabulate d (\j -> w[j] * x[i, j])))
  let table1 = tabulate n (\i -> f64.exp (-table[i]))
  let table2 = tabulate n (\i -> f64.exp table[i])
  let table3 =
    tabulate n (\i ->
      (if table[i] > 0f64
       then 1f64 - table1[i] / (1f64 + table1[i])
       else table2[i] / (1f64 + table2[i]))
        - y[i])
  let table4 = 2f64 * b
  let table5 = -a in
  tabulate d (\i ->
    table4 * w[i] + (if w[i] < 0f64 then table5 else a)
      + f64.sum (tabulate n (\i1 -> table3[i1] * x[i1, i])))
