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
       tabulate n (\i ->
         f64.floor
           (if f64.abs table[i, table1[i]] <= 1.7976931348623157e308f64
            then table[i, table1[i]]
            else 0f64)) in
     let table3 = tabulate n (\i -> tabulate v (\i1 -> f64.exp (table[i, i1] - table2[i]))) in
     let table4 = tabulate n (\i -> reduce (+) 0f64 table3[i]) in
     let table5 =
       tabulate n (\i ->
         tabulate v (\i1 ->
           if next[i] == i1
           then (-1f64) + table3[i, i1] / table4[i]
           else table3[i, i1] / table4[i])) in
     (loop (scatter_: *[v][d]f64) = tabulate v (\_ -> tabulate d (\_ -> 0f64)) for i < n do
        let place = word[i] in
        let value =
          tabulate d (\j -> reduce (+) 0f64 (tabulate v (\i1 -> table5[i, i1] * w[i1, j]))) in
        if 0i64 <= place && place < v
        then scatter_ with [place] = tabulate d (\i1 -> scatter_[place, i1] + value[i1])
        else scatter_,
      tabulate v (\i ->
        tabulate d (\j -> reduce (+) 0f64 (tabulate n (\i1 -> table5[i1, i] * e[word[i1], j]))))))
