-- Exported by redexter.

entry gradient [n] [d]
    (y: [n][d]f64)
    (x: [n][d]f64)
    (g: [d]f64)
    (b: [d]f64) : ([n][d]f64, [d]f64, [d]f64) =
  let table = tabulate n (\i -> reduce (+) 0f64 x[i] / f64.i64 d) in
  let table1 = tabulate n (\i -> tabulate d (\c -> x[i, c] - table[i])) in
  let table2 =
    tabulate n (\i ->
      f64.sqrt
        (1e-5f64 + reduce (+) 0f64 (tabulate d (\c -> table1[i, c] * table1[i, c])) / f64.i64 d)) in
  let table3 = tabulate n (\i -> tabulate d (\c -> g[c] * table1[i, c] / table2[i])) in
  let table4 = tabulate n (\i -> tabulate d (\c -> b[c] + table3[i, c] - y[i, c])) in
  let table5 =
    tabulate n (\i ->
      reduce (+) 0f64 (tabulate d (\i1 -> table4[i, i1] * table3[i, i1])) / table2[i]) in
  let table6 = tabulate n (\i -> reduce (+) 0f64 (tabulate d (\i1 -> g[i1] * table4[i, i1]))) in
  let table7 = tabulate n (\i -> reduce (+) 0f64 table1[i] / f64.i64 d) in
  (tabulate n (\i ->
     tabulate d (\j ->
       (g[j] * table4[i, j] + (table5[i] * (table7[i] - table1[i, j]) - table6[i]) / f64.i64 d)
         / table2[i])),
   tabulate d (\i ->
     reduce (+) 0f64 (tabulate n (\i1 -> table4[i1, i] * table1[i1, i] / table2[i1]))),
   tabulate d (\i -> reduce (+) 0f64 (tabulate n (\i1 -> table4[i1, i]))))
