-- Exported by redexter.

entry gradient [n] [m] (x: [n][m]f64) (y: [n]f64) (w: [m]f64) : [m]f64 =
  #[unsafe]
  let table = tabulate n (\i -> f64.sum (tabulate m (\i1 -> w[i1] * x[i, i1])))
  let table1 = tabulate n (\i -> f64.exp (-table[i]))
  let table2 = tabulate n (\i -> f64.exp table[i])
  let table3 =
    tabulate n (\i ->
      (if table[i] > 0f64
       then 1f64 - table1[i] / (1f64 + table1[i])
       else table2[i] / (1f64 + table2[i]))
        - y[i]) in
  reduce (map2 (+)) (replicate m 0f64)
    (tabulate n (\i -> tabulate m (\i1 -> table3[i] * x[i, i1])))
