-- Exported by redexter.

entry gradient [n] [d]
    (y: [n][d]f64)
    (x: [n][d]f64)
    (g: [d]f64)
    (b: [d]f64) : ([n][d]f64, [d]f64, [d]f64) =
  #[unsafe]
  let table = tabulate n (\i -> f64.sum x[i] / f64.i64 d)
  let table1 = tabulate n (\i -> tabulate d (\c -> x[i, c] - table[i]))
  let table2 =
    tabulate n (\i ->
      f64.sqrt (1e-5f64 + f64.sum (tabulate d (\c -> table1[i, c] * table1[i, c])) / f64.i64 d))
  let table3 = tabulate n (\i -> tabulate d (\c -> g[c] * table1[i, c] / table2[i]))
  let table4 = tabulate n (\i -> tabulate d (\c -> b[c] + table3[i, c] - y[i, c]))
  let table5 =
    tabulate n (\i -> f64.sum (tabulate d (\i1 -> table4[i, i1] * table3[i, i1])) / table2[i])
  let table6 = tabulate n (\i -> f64.sum (tabulate d (\i1 -> g[i1] * table4[i, i1])))
  let table7 = tabulate n (\i -> f64.sum table1[i] / f64.i64 d) in
  (tabulate n (\i ->
     tabulate d (\j ->
       (g[j] * table4[i, j] + (table5[i] * (table7[i] - table1[i, j]) - table6[i]) / f64.i64 d)
         / table2[i])),
   reduce (map2 (+)) (replicate d 0f64)
     (tabulate n (\i -> tabulate d (\i1 -> table4[i, i1] * table1[i, i1] / table2[i]))),
   reduce (map2 (+)) (replicate d 0f64) table4)
