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
    (let table = tabulate d (\i -> tabulate k (\c -> f64.exp q[c, i])) in
     let logs = tabulate k (\c -> reduce (+) 0f64 q[c]) in
     let table1 = tabulate n (\i -> tabulate k (\c -> tabulate d (\j -> x[i, j] - mu[c, j]))) in
     let table2 =
       tabulate n (\i ->
         tabulate k (\c ->
           tabulate d (\a ->
             reduce (+) 0f64 (tabulate d (\b ->
                if b < a
                then table1[i, c, b] * l[c, a, b]
                else if a == b then table1[i, c, b] * table[a, c] else 0f64))))) in
     let table3 =
       tabulate n (\i ->
         tabulate k (\c ->
           logs[c]
             + (alpha[c]
                - 0.5f64
                  * reduce (+) 0f64 (tabulate d (\a -> table2[i, c, a] * table2[i, c, a]))))) in
     let table4 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if table3[i, best] < table3[i, i1] then i1 else best) in
     let table5 =
       tabulate n (\i ->
         f64.floor
           (if f64.abs table3[i, table4[i]] <= 1.7976931348623157e308f64
            then table3[i, table4[i]]
            else 0f64)) in
     let table6 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table3[i, i1] - table5[i]))) in
     let table7 = tabulate n (\i -> reduce (+) 0f64 table6[i]) in
     let table8 = tabulate n (\i -> tabulate k (\i1 -> table6[i, i1] / table7[i])) in
     let table9 =
       tabulate d (\a ->
         tabulate k (\i ->
           reduce (+) 0f64 (tabulate n (\i1 -> table8[i1, i] * table2[i1, i, a])))) in
     tabulate k (\i ->
       tabulate d (\j ->
         reduce (+) 0f64 (tabulate d (\a ->
            if j < a
            then l[i, a, j] * table9[a, i]
            else if a == j then table[a, i] * table9[a, i] else 0f64)))))
