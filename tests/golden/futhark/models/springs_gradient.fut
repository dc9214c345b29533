-- Exported by redexter.

entry gradient [m] [n] [d]
    (start: [m]i64)
    (end: [m]i64)
    (stiff: [m]f64)
    (rest: [m]f64)
    (x: [n][d]f64) : [n][d]f64 =
  if all (\x1 -> 0i64 <= x1 && x1 < n) start && all (\x1 -> 0i64 <= x1 && x1 < n) end
  then
    #[unsafe]
    let table = tabulate m (\e -> tabulate d (\c -> x[end[e], c] - x[start[e], c]))
    let table1 =
      tabulate m (\e -> f64.sqrt (1e-6f64 + f64.sum (tabulate d (\c -> table[e, c] * table[e, c]))))
    let table2 = tabulate m (\e -> (table1[e] - rest[e]) * stiff[e])
    let sums =
      let entries =
        unzip
          (tabulate m (\e ->
             let table3 = table2[e] / table1[e] in
             (end[e], tabulate d (\j -> table3 * (4f64 * table[e, j]))))) in
      hist (map2 (+)) (replicate d 0f64) n entries.0 entries.1
    let sums1 =
      let entries =
        unzip
          (tabulate m (\e ->
             let table3 = table2[e] / table1[e] in
             (start[e], tabulate d (\j -> table3 * (4f64 * table[e, j]))))) in
      hist (map2 (+)) (replicate d 0f64) n entries.0 entries.1 in
    tabulate n (\i -> tabulate d (\j -> 0.5f64 * sums[i, j] - 0.5f64 * sums1[i, j]))
  else assert (all (\x1 -> 0i64 <= x1 && x1 < n) start && all (\x1 -> 0i64 <= x1 && x1 < n) end)
      (replicate n (replicate d 0f64))
