-- Exported by redexter.

entry gradient [n] [k] [m] [size]
    (l: i64)
    (x: [n][size]f64)
    (y: [n]f64)
    (taps: [k][m]f64)
    (w: [k]f64) : ([k][m]f64, [k]f64) =
  let l_plus_m = m + l in
  let x = x :> [n][l_plus_m]f64 in
  let table = tabulate l (\i -> tabulate m (\j -> i + j)) in
  let table1 =
    tabulate n (\i ->
      tabulate k (\c ->
        tabulate l (\i1 ->
          reduce (+) 0f64 (tabulate m (\j -> taps[c, j] * x[i, table[i1, j]]))))) in
  let table2 =
    tabulate n (\i ->
      tabulate k (\c ->
        reduce (+) 0f64 (tabulate l (\i1 ->
           if !(table1[i, c, i1] < 0f64) then table1[i, c, i1] else 0f64))
          / f64.i64 l)) in
  let table3 =
    tabulate n (\i -> 2f64 * (reduce (+) 0f64 (tabulate k (\c -> w[c] * table2[i, c])) - y[i])) in
  let table4 = tabulate n (\i -> tabulate k (\i1 -> w[i1] * table3[i])) in
  let table5 =
    tabulate k (\i ->
      tabulate l (\i1 -> tabulate n (\i2 -> i64.bool (!(table1[i2, i, i1] < 0f64))))) in
  (tabulate k (\i ->
     tabulate m (\j ->
       reduce (+) 0f64 (tabulate n (\i1 ->
          table4[i1, i]
            * reduce (+) 0f64 (tabulate l (\i2 ->
               if table5[i, i2, i1] != 0i64 then x[i1, table[i2, j]] else 0f64))))
         / f64.i64 l)),
   tabulate k (\i -> reduce (+) 0f64 (tabulate n (\i1 -> table3[i1] * table2[i1, i]))))
