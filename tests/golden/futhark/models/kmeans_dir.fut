-- Exported by redexter.

entry dir [n] [d] [k] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  assert (k >= 1i64)
    (let table =
       tabulate n (\i -> tabulate k (\j -> tabulate d (\c -> points[i, c] - centres[j, c]))) in
     let table1 =
       tabulate n (\i ->
         tabulate k (\j -> reduce (+) 0f64 (tabulate d (\c -> table[i, j, c] * table[i, j, c])))) in
     let table2 = tabulate n (\i -> tabulate k (\j -> tabulate d (\c -> 2f64 * table[i, j, c]))) in
     let table3 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if table1[i, i1] < table1[i, best] then i1 else best) in
     let table4 =
       tabulate k (\j ->
         reduce (+) 0f64 (tabulate n (\i ->
            let s = i64.bool (j == table3[i]) in
            if s != 0i64 then if s != 0i64 then 1f64 else 0f64 else 0f64))) in
     let table5 = tabulate k (\j -> tabulate n (\i -> i64.bool (j == table3[i]))) in
     tabulate k (\j ->
       tabulate d (\c ->
         -(0.5f64
            * reduce (+) 0f64 (tabulate n (\i ->
               if table5[j, i] != 0i64 then table2[i, table3[i], c] else 0f64))
            / table4[j]))))
