-- Exported by redexter.

entry gradient [n] [k] [m] [size]
    (l: i64)
    (x: [n][size]f64)
    (y: [n]f64)
    (taps: [k][m]f64)
    (w: [k]f64) : ([k][m]f64, [k]f64) =
  let l_plus_m = m + l
  let x = x :> [n][l_plus_m]f64 in
  if l >= 0i64
  then
    #[unsafe]
    let table =
      tabulate n (\i ->
        tabulate k (\c ->
          tabulate l (\i1 -> f64.sum (tabulate m (\j -> taps[c, j] * x[i, i1 + j])))))
    let table1 =
      tabulate n (\i ->
        tabulate k (\c ->
          f64.sum (tabulate l (\i1 -> if !(table[i, c, i1] < 0f64) then table[i, c, i1] else 0f64))
            / f64.i64 l))
    let table2 = tabulate n (\i -> 2f64 * (f64.sum (tabulate k (\c -> w[c] * table1[i, c])) - y[i]))
    let table3 = tabulate n (\i -> tabulate k (\i1 -> w[i1] * table2[i]))
    let table4 =
      tabulate k (\i ->
        tabulate l (\i1 -> tabulate n (\i2 -> i64.bool (!(table[i2, i, i1] < 0f64))))) in
    (tabulate k (\i ->
       tabulate m (\j ->
         f64.sum (tabulate n (\i1 ->
            table3[i1, i]
              * f64.sum (tabulate l (\i2 ->
                 if table4[i, i2, i1] != 0i64 then x[i1, i2 + j] else 0f64))))
           / f64.i64 l)),
     reduce (map2 (+)) (replicate k 0f64)
       (tabulate n (\i -> tabulate k (\i1 -> table2[i] * table1[i, i1]))))
  else assert (l >= 0i64)
      ((replicate k (replicate m 0f64), replicate k 0f64))
