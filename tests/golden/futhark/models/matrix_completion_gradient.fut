-- Exported by redexter.

entry gradient [m] [n] [d] [k]
    (row: [m]i64)
    (column: [m]i64)
    (y: [m]f64)
    (u: [n][d]f64)
    (v: [k][d]f64)
    (a: [n]f64)
    (b: [k]f64) : ([n][d]f64, [k][d]f64, [n]f64, [k]f64) =
  if all (\x -> 0i64 <= x && x < n) row && all (\x -> 0i64 <= x && x < k) column
  then
    #[unsafe]
    let table =
      tabulate m (\e ->
        f64.sum (tabulate d (\c -> u[row[e], c] * v[column[e], c])) + a[row[e]] + b[column[e]]
          - y[e])
    let table1 = tabulate m (\e -> 2f64 * table[e])
    let sums = hist (map2 (+)) (replicate d 0f64) n row (tabulate m (\e -> u[row[e]]))
    let sums1 =
      hist (map2 (+)) (replicate d 0f64) n
        row
        (tabulate m (\e -> tabulate d (\j -> table1[e] * v[column[e], j])))
    let sums2 = hist (map2 (+)) (replicate d 0f64) k column (tabulate m (\e -> v[column[e]]))
    let sums3 =
      hist (map2 (+)) (replicate d 0f64) k
        column
        (tabulate m (\e -> tabulate d (\j -> table1[e] * u[row[e], j])))
    let sums4 = hist (+) 0f64 n row table
    let sums5 = hist (+) 0f64 k column table in
    (tabulate n (\i -> tabulate d (\j -> 0.02f64 * sums[i, j] + sums1[i, j])),
     tabulate k (\i -> tabulate d (\j -> 0.02f64 * sums2[i, j] + sums3[i, j])),
     tabulate n (\i -> 2f64 * sums4[i]),
     tabulate k (\i -> 2f64 * sums5[i]))
  else assert (all (\x -> 0i64 <= x && x < n) row && all (\x -> 0i64 <= x && x < k) column)
      ((replicate n (replicate d 0f64),
        replicate k (replicate d 0f64),
        replicate n 0f64,
        replicate k 0f64))
