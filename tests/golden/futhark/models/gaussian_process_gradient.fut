-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (y: [n]f64) (lengths: [d]f64) (noise: f64) : ([d]f64, f64) =
  let table =
    tabulate n (\i ->
      tabulate n (\j ->
        tabulate d (\c ->
          let s = x[i, c] - x[j, c] in
          s * s))) in
  let table1 = tabulate d (\c -> f64.exp lengths[c]) in
  let table2 =
    tabulate n (\i ->
      tabulate n (\j ->
        f64.exp (-(0.5f64 * reduce (+) 0f64 (tabulate d (\c -> table1[c] * table[i, j, c]))))
          * (y[j] * y[i]))) in
  (tabulate d (\i ->
     -(0.5f64 * table1[i]
        * reduce (+) 0f64 (tabulate n (\i1 ->
           reduce (+) 0f64 (tabulate n (\j -> table2[i1, j] * table[i1, j, i])))))),
   2f64 * reduce (+) 0f64 (tabulate n (\i -> y[i] * y[i])) * noise)
