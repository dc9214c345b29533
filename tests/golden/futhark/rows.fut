-- Exported by redexter.

entry columns [n] [m] (a: [n][m]f64) (x: [n]f64) : [m]f64 =
  #[unsafe]
  let sums =
    reduce (map2 (+)) (replicate m 0f64)
      (tabulate n (\i -> tabulate m (\i1 -> -(x[i] * a[i, i1])))) in
  tabulate m (\i -> sums[i] * 0.5f64)

entry twice [n] [m] (a: [n][m]f64) (x: [n]f64) : [m]f64 =
  #[unsafe]
  let sums =
    reduce (map2 (+)) (replicate m 0f64) (tabulate n (\i -> tabulate m (\i1 -> -(x[i] * a[i, i1]))))
  let sums1 =
    reduce (map2 (+)) (replicate m 0f64)
      (tabulate n (\i -> tabulate m (\i1 -> -(x[i] * a[i, i1])))) in
  tabulate m (\i -> sums[i] + sums1[i])

entry products [n] [m] (a: [n][m]f64) (_: [n]f64) : [m][m]f64 =
  #[unsafe]
  tabulate m (\i -> tabulate m (\i1 -> f64.sum (tabulate n (\i2 -> a[i2, i] * a[i2, i1]))))

entry powers [n] [m] (_: [n][m]f64) (x: [n]f64) : [n][m]f64 =
  #[unsafe]
  tabulate n (\i -> scan (*) 1f64 (tabulate m (\k -> if k == 0i64 then 1f64 else x[i])))

entry polynomials [n] [m] (a: [n][m]f64) (x: [n]f64) : [n]f64 =
  #[unsafe]
  tabulate n (\i ->
    let powers = scan (*) 1f64 (tabulate m (\k -> if k == 0i64 then 1f64 else x[i])) in
    1f64 + f64.sum (tabulate m (\i1 -> a[i, i1] * powers[i1])))
