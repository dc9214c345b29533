-- Exported by redexter.

entry dir [n] [d] [k] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  assert (k >= 1i64)
    (let table =
       tabulate n (\i -> tabulate k (\j -> tabulate d (\c -> points[i, c] - centres[j, c]))) in
     let table1 =
       tabulate n (\i ->
         tabulate k (\j -> reduce (+) 0f64 (tabulate d (\c -> table[i, j, c] * table[i, j, c])))) in
     let table2 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if table1[i, i1] < table1[i, best] then i1 else best) in
     let table3 =
       tabulate k (\j ->
         reduce (+) 0f64 (tabulate n (\i -> if table2[i] == j then 1f64 else 0f64))) in
     tabulate k (\j ->
       tabulate d (\c ->
         -(reduce (+) 0f64 (tabulate n (\i -> if table2[i] == j then table[i, j, c] else 0f64))
            / table3[j]))))
