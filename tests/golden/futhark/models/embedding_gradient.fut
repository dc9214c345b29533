-- Exported by redexter.

entry gradient [n] [v] [d]
    (word: [n]i64)
    (next: [n]i64)
    (e: [v][d]f64)
    (w: [v][d]f64) : ([v][d]f64, [v][d]f64) =
  assert (v >= 1i64)
    (let table =
       tabulate n (\i ->
         tabulate v (\c -> reduce (+) 0f64 (tabulate d (\j -> w[c, j] * e[word[i], j])))) in
     let table1 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < v do if table[i, best] < table[i, i1] then i1 else best) in
     let table2 =
       tabulate n (\i -> tabulate v (\i1 -> f64.exp (table[i, i1] - table[i, table1[i]]))) in
     let table3 = tabulate n (\i -> reduce (+) 0f64 table2[i]) in
     let table4 =
       tabulate n (\i ->
         tabulate v (\i1 ->
           if next[i] == i1
           then (-1f64) + table2[i, i1] / table3[i]
           else table2[i, i1] / table3[i])) in
     let table5 =
       tabulate d (\j ->
         tabulate n (\i -> reduce (+) 0f64 (tabulate v (\i1 -> table4[i, i1] * w[i1, j])))) in
     let table6 = tabulate n (\i -> tabulate v (\i1 -> i64.bool (i1 == word[i]))) in
     (tabulate v (\i ->
        tabulate d (\j ->
          reduce (+) 0f64 (tabulate n (\i1 ->
             if table6[i1, i] != 0i64 then table5[j, i1] else 0f64)))),
      tabulate v (\i ->
        tabulate d (\j -> reduce (+) 0f64 (tabulate n (\i1 -> table4[i1, i] * e[word[i1], j]))))))
