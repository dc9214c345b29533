-- Exported by redexter.

entry gradientL [n] [d] [k]
    (x: [n][d]f64)
    (m: i64)
    (gamma: f64)
    (alpha: [k]f64)
    (mu: [k][d]f64)
    (q: [k][d]f64)
    (l: [k][d][d]f64) : [k][d][d]f64 =
  assert (k >= 1i64)
    (let t = tabulate k (\c -> tabulate d (\i -> f64.exp q[c, i])) in
     let t1 = tabulate d (\j -> tabulate d (\i -> i64.bool (j < i))) in
     let t2 = tabulate d (\i -> tabulate d (\j -> i64.bool (i == j))) in
     let logs = tabulate k (\c -> reduce (+) 0f64 q[c]) in
     let t3 = tabulate n (\i -> tabulate k (\c -> tabulate d (\j -> x[i, j] - mu[c, j]))) in
     let t4 =
       tabulate n (\i ->
         tabulate k (\c ->
           tabulate d (\a ->
             reduce (+) 0f64 (tabulate d (\b ->
                t3[i, c, b]
                  * (if t1[b, a] != 0i64
                   then l[c, a, b]
                   else if t2[a, b] != 0i64 then t[c, a] else 0f64)))))) in
     let t5 =
       tabulate n (\i ->
         tabulate k (\c ->
           logs[c]
             + (alpha[c]
                - 0.5f64 * reduce (+) 0f64 (tabulate d (\a -> t4[i, c, a] * t4[i, c, a]))))) in
     let t6 = tabulate n (\i -> tabulate k (\c -> tabulate d (\a -> 2f64 * t4[i, c, a]))) in
     let t7 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if t5[i, best] < t5[i, i1] then i1 else best) in
     let t8 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (t5[i, i1] - t5[i, t7[i]]))) in
     let t9 = tabulate n (\i -> reduce (+) 0f64 t8[i]) in
     let x1 = 0.5f64 * gamma * gamma in
     let t10 = tabulate k (\i -> tabulate n (\i1 -> t8[i1, i] / t9[i1])) in
     let t11 =
       tabulate d (\k1 -> tabulate k (\i -> tabulate n (\i1 -> t10[i, i1] * t3[i1, i, k1]))) in
     tabulate k (\i ->
       tabulate d (\j ->
         tabulate d (\k1 ->
           (-(2f64
               * (if t1[k1, j] != 0i64
                then x1
                    * (if t1[k1, j] != 0i64
                     then l[i, j, k1]
                     else if t2[j, k1] != 0i64 then t[i, j] else 0f64)
                else 0f64)))
             - 0.5f64
               * (if t1[k1, j] != 0i64
                then reduce (+) 0f64 (tabulate n (\i1 -> t11[k1, i, i1] * t6[i1, i, j]))
                else 0f64)))))
