-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (time: [n]f64) (event: [n]f64) (w: [d]f64) : [d]f64 =
  #[unsafe]
  let table = tabulate n (\j -> f64.exp (f64.sum (tabulate d (\j1 -> w[j1] * x[j, j1]))))
  let table1 =
    tabulate n (\i ->
      event[i] / f64.sum (tabulate n (\j -> if time[i] <= time[j] then table[j] else 0f64)))
  let table2 =
    tabulate n (\i ->
      table[i] * f64.sum (tabulate n (\i1 -> if time[i1] <= time[i] then table1[i1] else 0f64))
        - event[i]) in
  reduce (map2 (+)) (replicate d 0f64)
    (tabulate n (\i -> tabulate d (\i1 -> table2[i] * x[i, i1])))
