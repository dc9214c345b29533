-- Exported by redexter.

entry gradient [n] [d] [k]
    (x: [n][d]f64)
    (m: i64)
    (gamma: f64)
    (alpha: [k]f64)
    (mu: [k][d]f64)
    (q: [k][d]f64)
    (l: [k][d][d]f64) : ([k]f64, [k][d]f64, [k][d]f64, [k][d][d]f64) =
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
     let i = loop best = 0i64 for i < k do if alpha[best] < alpha[i] then i else best in
     let table9 = tabulate k (\i1 -> f64.exp (alpha[i1] - alpha[i])) in
     let table10 =
       tabulate n (\i1 -> tabulate k (\c -> tabulate d (\a -> 2f64 * table4[i1, c, a]))) in
     let table11 = tabulate n (\i1 -> tabulate k (\i2 -> table7[i1, i2] / table8[i1])) in
     let table12 =
       tabulate k (\i1 -> f64.i64 m + reduce (+) 0f64 (tabulate n (\i2 -> table11[i2, i1]))) in
     let table13 =
       tabulate d (\i1 ->
         tabulate k (\i2 -> tabulate n (\i3 -> table11[i3, i2] * table3[i3, i2, i1]))) in
     let table14 = 2f64 * (0.5f64 * gamma * gamma) in
     let table15 =
       tabulate k (\i1 ->
         tabulate d (\i2 ->
           tabulate d (\i3 ->
             (-(table14
                 * (if table1[i3, i2] != 0i64
                  then l[i1, i2, i3]
                  else if table2[i2, i3] != 0i64 then table[i1, i2] else 0f64)))
               - 0.5f64
                 * reduce (+) 0f64 (tabulate n (\i4 ->
                    table13[i3, i1, i4] * table10[i4, i1, i2]))))) in
     let table16 =
       tabulate d (\a ->
         tabulate k (\i1 ->
           reduce (+) 0f64 (tabulate n (\i2 -> table11[i2, i1] * table10[i2, i1, a])))) in
     let table17 = f64.i64 n / reduce (+) 0f64 table9 in
     (tabulate k (\i1 ->
        reduce (+) 0f64 (tabulate n (\i2 -> table11[i2, i1])) - table17 * table9[i1]),
      tabulate k (\i1 ->
        tabulate d (\j ->
          0.5f64
            * reduce (+) 0f64 (tabulate d (\a ->
               (if table1[j, a] != 0i64
                then l[i1, a, j]
                else if table2[a, j] != 0i64 then table[i1, a] else 0f64)
                 * table16[a, i1])))),
      tabulate k (\i1 -> tabulate d (\j -> table12[i1] + table[i1, j] * table15[i1, j, j])),
      tabulate k (\i1 ->
        tabulate d (\j ->
          tabulate d (\k1 -> if table1[k1, j] != 0i64 then table15[i1, j, k1] else 0f64)))))
