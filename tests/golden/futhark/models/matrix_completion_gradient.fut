-- Exported by redexter.

entry gradient [m] [n] [d] [k]
    (row: [m]i64)
    (column: [m]i64)
    (y: [m]f64)
    (u: [n][d]f64)
    (v: [k][d]f64)
    (a: [n]f64)
    (b: [k]f64) : ([n][d]f64, [k][d]f64, [n]f64, [k]f64) =
  let dtable =
    tabulate m (\e ->
      2f64
        * (a[row[e]] + b[column[e]]
           + reduce (+) 0f64 (tabulate d (\c -> u[row[e], c] * v[column[e], c]))
           - y[e])) in
  let table = tabulate m (\e -> tabulate d (\c -> 0.01f64 * u[row[e], c])) in
  let table1 = tabulate m (\e -> tabulate d (\c -> dtable[e] * v[column[e], c])) in
  let table2 = tabulate m (\e -> tabulate d (\c -> 0.01f64 * v[column[e], c])) in
  let table3 = tabulate m (\e -> tabulate d (\c -> dtable[e] * u[row[e], c])) in
  (loop (scatter_: *[n][d]f64) = tabulate n (\_ -> tabulate d (\_ -> 0f64)) for e < m do
     let place = row[e] in
     let value = tabulate d (\i -> table1[e, i] + 2f64 * table[e, i]) in
     if 0i64 <= place && place < n
     then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
     else scatter_,
   loop (scatter_: *[k][d]f64) = tabulate k (\_ -> tabulate d (\_ -> 0f64)) for e < m do
     let place = column[e] in
     let value = tabulate d (\i -> table3[e, i] + 2f64 * table2[e, i]) in
     if 0i64 <= place && place < k
     then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
     else scatter_,
   let entries = tabulate m (\e -> (row[e], dtable[e])) in
   reduce_by_index (tabulate n (\_ -> 0f64)) (+) 0f64
     (tabulate m (\e -> (entries[e]).0))
     (tabulate m (\e -> (entries[e]).1)),
   let entries1 = tabulate m (\e -> (column[e], dtable[e])) in
   reduce_by_index (tabulate k (\_ -> 0f64)) (+) 0f64
     (tabulate m (\e -> (entries1[e]).0))
     (tabulate m (\e -> (entries1[e]).1)))
