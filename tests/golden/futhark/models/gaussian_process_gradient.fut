-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (y: [n]f64) (lengths: [d]f64) (noise: f64) : ([d]f64, f64) =
  let table = tabulate n (\i -> tabulate n (\j -> tabulate d (\c -> x[i, c] - x[j, c]))) in
  let table1 =
    tabulate n (\i -> tabulate n (\j -> tabulate d (\c -> table[i, j, c] * table[i, j, c]))) in
  let table2 = tabulate d (\c -> f64.exp lengths[c]) in
  let table3 =
    tabulate n (\i ->
      tabulate n (\j ->
        f64.exp (-(0.5f64 * reduce (+) 0f64 (tabulate d (\c -> table2[c] * table1[i, j, c]))))
          * (y[j] * y[i]))) in
  (tabulate d (\i ->
     -(0.5f64 * table2[i]
        * reduce (+) 0f64 (tabulate n (\i1 ->
           reduce (+) 0f64 (tabulate n (\j -> table3[i1, j] * table1[i1, j, i])))))),
   2f64 * reduce (+) 0f64 (tabulate n (\i -> y[i] * y[i])) * noise)
