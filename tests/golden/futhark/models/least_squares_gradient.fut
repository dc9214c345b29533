-- Exported by redexter.

entry gradient [n] [m] (t: [n]f64) (s: [n]f64) (x: [m]f64) : [m]f64 =
  #[unsafe]
  let table = tabulate n (\i -> scan (*) 1f64 (tabulate m (\k -> if k == 0i64 then 1f64 else t[i])))
  let table1 = tabulate n (\i -> s[i] - f64.sum (tabulate m (\j -> x[j] * table[i, j])))
  let sums =
    reduce (map2 (+)) (replicate m 0f64)
      (tabulate n (\i -> tabulate m (\i1 -> table1[i] * table[i, i1]))) in
  tabulate m (\i -> -sums[i])
