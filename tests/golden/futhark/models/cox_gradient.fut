-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (time: [n]f64) (event: [n]f64) (w: [d]f64) : [d]f64 =
  let table = tabulate n (\j -> f64.exp (reduce (+) 0f64 (tabulate d (\j1 -> w[j1] * x[j, j1])))) in
  let table1 =
    tabulate n (\i ->
      event[i]
        / reduce (+) 0f64 (tabulate n (\j -> if time[i] <= time[j] then table[j] else 0f64))) in
  let table2 =
    tabulate n (\i ->
      table[i]
        * reduce (+) 0f64 (tabulate n (\i1 -> if time[i1] <= time[i] then table1[i1] else 0f64))
        - event[i]) in
  tabulate d (\i -> reduce (+) 0f64 (tabulate n (\i1 -> table2[i1] * x[i1, i])))
