-- Exported by redexter.

entry gradientSign [m] (n: i64) (x: [m]f64) : [m]f64 =
  if n >= 2i64
  then
    #[unsafe]
    let table = f64.i64 n - 1f64
    let t = tabulate n (\i -> 2f64 * f64.i64 i / table - 1f64)
    let table1 =
      tabulate n (\i -> scan (*) 1f64 (tabulate m (\k -> if k == 0i64 then 1f64 else t[i])))
    let table2 =
      tabulate n (\i ->
        (if t[i] < 0f64 then -1f64 else if !(t[i] == 0f64) then 1f64 else 0f64)
          - f64.sum (tabulate m (\j -> x[j] * table1[i, j])))
    let sums =
      reduce (map2 (+)) (replicate m 0f64)
        (tabulate n (\i -> tabulate m (\i1 -> table2[i] * table1[i, i1]))) in
    tabulate m (\i -> -sums[i])
  else assert (n >= 2i64)
      (replicate m 0f64)
