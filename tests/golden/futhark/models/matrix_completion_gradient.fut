-- Exported by redexter.

entry gradient [m] [n] [d] [k]
    (row: [m]i64)
    (column: [m]i64)
    (y: [m]f64)
    (u: [n][d]f64)
    (v: [k][d]f64)
    (a: [n]f64)
    (b: [k]f64) : ([n][d]f64, [k][d]f64, [n]f64, [k]f64) =
  let table =
    tabulate m (\e ->
      reduce (+) 0f64 (tabulate d (\c -> u[row[e], c] * v[column[e], c])) + a[row[e]] + b[column[e]]
        - y[e]) in
  let table1 = tabulate m (\e -> 2f64 * table[e]) in
  let sums =
    loop (scatter_: *[n][d]f64) = tabulate n (\_ -> tabulate d (\_ -> 0f64)) for e < m do
      let place = row[e] in
      let value = u[row[e]] in
      if 0i64 <= place && place < n
      then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
      else scatter_ in
  let sums1 =
    loop (scatter_: *[n][d]f64) = tabulate n (\_ -> tabulate d (\_ -> 0f64)) for e < m do
      let place = row[e] in
      let value = tabulate d (\j -> table1[e] * v[column[e], j]) in
      if 0i64 <= place && place < n
      then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
      else scatter_ in
  let sums2 =
    loop (scatter_: *[k][d]f64) = tabulate k (\_ -> tabulate d (\_ -> 0f64)) for e < m do
      let place = column[e] in
      let value = v[column[e]] in
      if 0i64 <= place && place < k
      then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
      else scatter_ in
  let sums3 =
    loop (scatter_: *[k][d]f64) = tabulate k (\_ -> tabulate d (\_ -> 0f64)) for e < m do
      let place = column[e] in
      let value = tabulate d (\j -> table1[e] * u[row[e], j]) in
      if 0i64 <= place && place < k
      then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
      else scatter_ in
  let sums4 =
    let entries = tabulate m (\e -> (row[e], table[e])) in
    reduce_by_index (tabulate n (\_ -> 0f64)) (+) 0f64
      (tabulate m (\e -> (entries[e]).0))
      (tabulate m (\e -> (entries[e]).1)) in
  let sums5 =
    let entries1 = tabulate m (\e -> (column[e], table[e])) in
    reduce_by_index (tabulate k (\_ -> 0f64)) (+) 0f64
      (tabulate m (\e -> (entries1[e]).0))
      (tabulate m (\e -> (entries1[e]).1)) in
  (tabulate n (\i -> tabulate d (\j -> 0.02f64 * sums[i, j] + sums1[i, j])),
   tabulate k (\i -> tabulate d (\j -> 0.02f64 * sums2[i, j] + sums3[i, j])),
   tabulate n (\i -> 2f64 * sums4[i]),
   tabulate k (\i -> 2f64 * sums5[i]))
