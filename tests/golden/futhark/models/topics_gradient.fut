-- Exported by redexter.

entry gradient [n] [m] [k] [v]
    (document: [n]i64)
    (word: [n]i64)
    (mixes: [m][k]f64)
    (topics: [k][v]f64) : ([m][k]f64, [k][v]f64) =
  assert (v >= 1i64 && k >= 1i64)
    (let table =
       tabulate m (\d ->
         loop best = 0i64 for i < k do if mixes[d, best] < mixes[d, i] then i else best) in
     let table1 =
       tabulate m (\d ->
         f64.floor
           (if f64.abs mixes[d, table[d]] <= 1.7976931348623157e308f64
            then mixes[d, table[d]]
            else 0f64)) in
     let table2 = tabulate m (\d -> tabulate k (\i -> mixes[d, i] - table1[d])) in
     let table3 = tabulate m (\d -> tabulate k (\i -> f64.exp table2[d, i])) in
     let table4 = tabulate m (\d -> reduce (+) 0f64 table3[d]) in
     let table5 = tabulate m (\d -> f64.log table4[d]) in
     let p = tabulate m (\d -> tabulate k (\i -> table2[d, i] - table5[d])) in
     let table6 =
       tabulate k (\c ->
         topics[c,
          loop best = 0i64 for i < v do if topics[c, best] < topics[c, i] then i else best]) in
     let table7 =
       tabulate k (\c ->
         f64.floor (if f64.abs table6[c] <= 1.7976931348623157e308f64 then table6[c] else 0f64)) in
     let table8 =
       tabulate k (\c ->
         f64.log (reduce (+) 0f64 (tabulate v (\i -> f64.exp (topics[c, i] - table7[c]))))) in
     let q = tabulate k (\c -> tabulate v (\i -> topics[c, i] - table8[c] - table7[c])) in
     let table9 = tabulate n (\i -> tabulate k (\c -> q[c, word[i]] + p[document[i], c])) in
     let table10 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if table9[i, best] < table9[i, i1] then i1 else best) in
     let table11 =
       tabulate n (\i ->
         f64.floor
           (if f64.abs table9[i, table10[i]] <= 1.7976931348623157e308f64
            then table9[i, table10[i]]
            else 0f64)) in
     let table12 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table9[i, i1] - table11[i]))) in
     let table13 = tabulate n (\i -> reduce (+) 0f64 table12[i]) in
     let table14 =
       tabulate k (\c ->
         loop best = 0i64 for i < v do if topics[c, best] < topics[c, i] then i else best) in
     let table15 =
       tabulate k (\c ->
         f64.floor
           (if f64.abs topics[c, table14[c]] <= 1.7976931348623157e308f64
            then topics[c, table14[c]]
            else 0f64)) in
     let table16 = tabulate k (\c -> tabulate v (\i -> topics[c, i] - table15[c])) in
     let table17 = tabulate k (\c -> tabulate v (\i -> f64.exp table16[c, i])) in
     let table18 = tabulate k (\c -> reduce (+) 0f64 table17[c]) in
     let table19 = tabulate k (\c -> f64.log table18[c]) in
     let q1 = tabulate k (\c -> tabulate v (\i -> table16[c, i] - table19[c])) in
     let table20 = tabulate n (\i -> tabulate k (\c -> q1[c, word[i]] + p[document[i], c])) in
     let table21 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if table20[i, best] < table20[i, i1] then i1 else best) in
     let table22 =
       tabulate n (\i ->
         f64.floor
           (if f64.abs table20[i, table21[i]] <= 1.7976931348623157e308f64
            then table20[i, table21[i]]
            else 0f64)) in
     let table23 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table20[i, i1] - table22[i]))) in
     let table24 = tabulate n (\i -> reduce (+) 0f64 table23[i]) in
     let table25 =
       tabulate k (\i ->
         reduce (+) 0f64 (tabulate n (\i1 -> table23[i1, i] / table24[i1])) / table18[i]) in
     let sums =
       loop (scatter_: *[m][k]f64) = tabulate m (\_ -> tabulate k (\_ -> 0f64)) for i < n do
         let place = document[i] in
         let value = tabulate k (\j -> table3[document[i], j] / table4[document[i]]) in
         if 0i64 <= place && place < m
         then scatter_ with [place] = tabulate k (\i1 -> scatter_[place, i1] + value[i1])
         else scatter_ in
     let sums1 =
       loop (scatter_: *[m][k]f64) = tabulate m (\_ -> tabulate k (\_ -> 0f64)) for i < n do
         let place = document[i] in
         let value = tabulate k (\j -> table12[i, j] / table13[i]) in
         if 0i64 <= place && place < m
         then scatter_ with [place] = tabulate k (\i1 -> scatter_[place, i1] + value[i1])
         else scatter_ in
     (tabulate m (\i -> tabulate k (\j -> sums[i, j] - sums1[i, j])),
      tabulate k (\i ->
        let sums2 =
          let entries = tabulate n (\i1 -> (word[i1], table23[i1, i] / table24[i1])) in
          reduce_by_index (tabulate v (\_ -> 0f64)) (+) 0f64
            (tabulate n (\i1 -> (entries[i1]).0))
            (tabulate n (\i1 -> (entries[i1]).1)) in
        tabulate v (\j -> table25[i] * table17[i, j] - sums2[j]))))
