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
  let table5 = -a
  let sums =
    reduce (map2 (+)) (replicate d 0f64)
      (tabulate n (\i -> tabulate d (\i1 -> table3[i] * x[i, i1]))) in
  tabulate d (\i -> table4 * w[i] + (if w[i] < 0f64 then table5 else a) + sums[i])
