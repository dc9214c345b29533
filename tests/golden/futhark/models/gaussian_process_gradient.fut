-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (y: [n]f64) (lengths: [d]f64) (noise: f64) : ([d]f64, f64) =
  #[unsafe]
  let table =
    tabulate n (\i ->
      tabulate n (\j ->
        tabulate d (\c ->
          let s = x[i, c] - x[j, c] in
          s * s)))
  let table1 = tabulate d (\c -> f64.exp lengths[c])
  let table2 =
    tabulate n (\i ->
      tabulate n (\j ->
        f64.exp (-(0.5f64 * f64.sum (tabulate d (\c -> table1[c] * table[i, j, c]))))
          * (y[j] * y[i]))) in
  (tabulate d (\i ->
     -(0.5f64 * table1[i]
        * f64.sum (tabulate n (\i1 ->
           f64.sum (tabulate n (\j -> table2[i1, j] * table[i1, j, i])))))),
   2f64 * f64.sum (tabulate n (\i -> y[i] * y[i])) * noise)
