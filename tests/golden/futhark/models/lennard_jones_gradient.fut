-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) : [n][d]f64 =
  #[unsafe]
  let table = tabulate n (\i -> tabulate n (\j -> tabulate d (\c -> x[i, c] - x[j, c])))
  let table1 =
    tabulate n (\i ->
      tabulate n (\j -> f64.sum (tabulate d (\c -> table[i, j, c] * table[i, j, c]))))
  let table2 = tabulate n (\i -> tabulate n (\j -> table1[i, j] * table1[i, j]))
  let table3 = tabulate n (\i -> tabulate n (\j -> table2[i, j] * table1[i, j]))
  let table4 = tabulate n (\i -> tabulate n (\j -> 1f64 / table3[i, j]))
  let table5 =
    tabulate n (\i ->
      tabulate n (\j ->
        -(2f64 * (2f64 * table4[i, j] - 1f64) * table4[i, j]
           * (table2[i, j] + 2f64 * table1[i, j] * table1[i, j])
           / table3[i, j])))
  let sums =
    reduce (map2 (map2 (+))) (replicate n (replicate d 0f64))
      (tabulate n (\j ->
         tabulate n (\i ->
           tabulate d (\j1 ->
             (if !(i == j) then table5[i, j] * table[i, j, j1] else 0f64)
               - (if !(j == i) then table5[j, i] * table[j, i, j1] else 0f64))))) in
  tabulate n (\i -> tabulate d (\j -> 2f64 * sums[i, j]))
