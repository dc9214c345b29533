-- Exported by redexter.

entry gradient [m] [n] [d]
    (start: [m]i64)
    (end: [m]i64)
    (stiff: [m]f64)
    (rest: [m]f64)
    (x: [n][d]f64) : [n][d]f64 =
  let table = tabulate m (\e -> tabulate d (\c -> x[end[e], c] - x[start[e], c])) in
  let table1 =
    tabulate m (\e ->
      f64.sqrt (1e-6f64 + reduce (+) 0f64 (tabulate d (\c -> table[e, c] * table[e, c])))) in
  let table2 = tabulate m (\e -> (table1[e] - rest[e]) * stiff[e]) in
  let sums =
    loop (scatter_: *[n][d]f64) = tabulate n (\_ -> tabulate d (\_ -> 0f64)) for e < m do
      let table3 = table2[e] / table1[e] in
      let place = end[e] in
      let value = tabulate d (\j -> table3 * (4f64 * table[e, j])) in
      if 0i64 <= place && place < n
      then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
      else scatter_ in
  let sums1 =
    loop (scatter_: *[n][d]f64) = tabulate n (\_ -> tabulate d (\_ -> 0f64)) for e < m do
      let table3 = table2[e] / table1[e] in
      let place = start[e] in
      let value = tabulate d (\j -> table3 * (4f64 * table[e, j])) in
      if 0i64 <= place && place < n
      then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
      else scatter_ in
  tabulate n (\i -> tabulate d (\j -> 0.5f64 * sums[i, j] - 0.5f64 * sums1[i, j]))
