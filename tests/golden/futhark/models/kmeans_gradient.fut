-- Exported by redexter.

entry gradient [n] [d] [k] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  assert (k >= 1i64)
    (let table =
       tabulate n (\i -> tabulate k (\j -> tabulate d (\c -> points[i, c] - centres[j, c]))) in
     let table1 =
       tabulate n (\i ->
         tabulate k (\j -> reduce (+) 0f64 (tabulate d (\c -> table[i, j, c] * table[i, j, c])))) in
     let table2 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if table1[i, i1] < table1[i, best] then i1 else best) in
     tabulate k (\i ->
       tabulate d (\j ->
         -(2f64
            * reduce (+) 0f64 (tabulate n (\i1 ->
               if table2[i1] == i then table[i1, i, j] else 0f64))))))
