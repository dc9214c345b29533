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
    (let table = tabulate k (\c -> tabulate d (\i -> f64.exp q[c, i])) in
     let table1 = tabulate d (\j -> tabulate d (\i -> i64.bool (j < i))) in
     let table2 = tabulate d (\i -> tabulate d (\j -> i64.bool (i == j))) in
     let logs = tabulate k (\c -> reduce (+) 0f64 q[c]) in
     let table3 = tabulate n (\i -> tabulate k (\c -> tabulate d (\j -> x[i, j] - mu[c, j]))) in
     let table4 =
       tabulate n (\i ->
         tabulate k (\c ->
           tabulate d (\a ->
             reduce (+) 0f64 (tabulate d (\b ->
                table3[i, c, b]
                  * (if table1[b, a] != 0i64
                   then l[c, a, b]
                   else if table2[a, b] != 0i64 then table[c, a] else 0f64)))))) in
     let table5 =
       tabulate n (\i ->
         tabulate k (\c ->
           logs[c]
             + (alpha[c]
                - 0.5f64
                  * reduce (+) 0f64 (tabulate d (\a -> table4[i, c, a] * table4[i, c, a]))))) in
     let table6 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if table5[i, best] < table5[i, i1] then i1 else best) in
     let table7 =
       tabulate n (\i -> tabulate k (\i1 -> f64.exp (table5[i, i1] - table5[i, table6[i]]))) in
     let table8 = tabulate n (\i -> reduce (+) 0f64 table7[i]) in
     let table9 = tabulate n (\i -> tabulate k (\i1 -> table7[i, i1] / table8[i])) in
     let table10 =
       tabulate d (\a ->
         tabulate k (\i ->
           reduce (+) 0f64 (tabulate n (\i1 -> table9[i1, i] * (2f64 * table4[i1, i, a]))))) in
     tabulate k (\i ->
       tabulate d (\j ->
         0.5f64
           * reduce (+) 0f64 (tabulate d (\a ->
              (if table1[j, a] != 0i64
               then l[i, a, j]
               else if table2[a, j] != 0i64 then table[i, a] else 0f64)
                * table10[a, i])))))
