-- Exported by redexter.

entry gradientMu [n] [d] [k]
    (x: [n][d]f64)
    (m: i64)
    (gamma: f64)
    (alpha: [k]f64)
    (mu: [k][d]f64)
    (q: [k][d]f64)
    (l: [k][d][d]f64) : [k][d]f64 =
  assert (k >= 1i64)
    (let factor =
       tabulate k (\c ->
         tabulate d (\i ->
           tabulate d (\j ->
             if j < i then l[c, i, j] else if i == j then f64.exp q[c, i] else 0f64))) in
     let logs = tabulate k (\c -> reduce (+) 0f64 q[c]) in
     let table = tabulate n (\i -> tabulate k (\c -> tabulate d (\j -> x[i, j] - mu[c, j]))) in
     let table1 =
       tabulate n (\i ->
         tabulate k (\c ->
           tabulate d (\a ->
             reduce (+) 0f64 (tabulate d (\b -> table[i, c, b] * factor[c, a, b]))))) in
     let table2 =
       tabulate n (\i ->
         tabulate k (\c ->
           logs[c]
             + (alpha[c]
                - 0.5f64
                  * reduce (+) 0f64 (tabulate d (\a -> table1[i, c, a] * table1[i, c, a]))))) in
     let table3 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if table2[i, best] < table2[i, i1] then i1 else best) in
     let table4 =
       tabulate n (\i ->
         f64.floor
           (if f64.abs table2[i, table3[i]] <= 1.7976931348623157e308f64
            then table2[i, table3[i]]
            else 0f64)) in
     let table5 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table2[i, i1] - table4[i]))) in
     let dtable = tabulate n (\i -> 1f64 / reduce (+) 0f64 table5[i]) in
     let dtable1 = tabulate n (\i -> tabulate k (\c -> 0.5f64 * (-(dtable[i] * table5[i, c])))) in
     let dtable2 =
       tabulate k (\i ->
         tabulate d (\i1 ->
           2f64 * reduce (+) 0f64 (tabulate n (\i2 -> dtable1[i2, i] * table1[i2, i, i1])))) in
     tabulate k (\c ->
       tabulate d (\j -> -(reduce (+) 0f64 (tabulate d (\a -> dtable2[c, a] * factor[c, a, j]))))))
