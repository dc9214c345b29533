-- Exported by redexter.

entry gradientQ [n] [d] [k]
    (x: [n][d]f64)
    (m: i64)
    (gamma: f64)
    (alpha: [k]f64)
    (mu: [k][d]f64)
    (q: [k][d]f64)
    (l: [k][d][d]f64) : [k][d]f64 =
  assert (k >= 1i64)
    (let factor =
       let t = tabulate d (\j -> tabulate d (\i -> i64.bool (j < i))) in
       let t1 = tabulate d (\i -> tabulate d (\j -> i64.bool (i == j))) in
       tabulate k (\c ->
         tabulate d (\i ->
           let t2 = f64.exp q[c, i] in
           tabulate d (\j ->
             if t[j, i] != 0i64 then l[c, i, j] else if t1[i, j] != 0i64 then t2 else 0f64))) in
     let logs = tabulate k (\c -> reduce (+) 0f64 q[c]) in
     let t = tabulate n (\i -> tabulate k (\c -> tabulate d (\j -> x[i, j] - mu[c, j]))) in
     let t1 =
       tabulate n (\i ->
         tabulate k (\c ->
           tabulate d (\a -> reduce (+) 0f64 (tabulate d (\b -> factor[c, a, b] * t[i, c, b]))))) in
     let t2 =
       tabulate n (\i ->
         tabulate k (\c ->
           alpha[c] - 0.5f64 * reduce (+) 0f64 (tabulate d (\a -> t1[i, c, a] * t1[i, c, a]))
             + logs[c])) in
     let t3 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if t2[i, best] < t2[i, i1] then i1 else best) in
     let t4 = tabulate n (\i -> tabulate d (\j -> x[i, j] - mu[t3[i], j])) in
     let t5 =
       tabulate n (\i ->
         tabulate d (\a -> reduce (+) 0f64 (tabulate d (\b -> factor[t3[i], a, b] * t4[i, b])))) in
     let t6 = tabulate n (\i -> tabulate d (\j -> t5[i, j] * f64.exp q[t3[i], j] * t4[i, j])) in
     let t7 =
       tabulate n (\i ->
         reduce (+) 0f64 (tabulate k (\i1 -> f64.exp (t2[i, i1] - t2[i, t3[i]])))) in
     let t8 = gamma * gamma in
     tabulate k (\i ->
       let t9 =
         reduce (+) 0f64 (tabulate n (\i1 -> f64.exp (t2[i1, i] - t2[i1, t3[i1]]) / t7[i1])) in
       let t10 = tabulate n (\i1 -> f64.exp (t2[i1, i] - t2[i1, t3[i1]]) / t7[i1]) in
       let t11 = tabulate n (\i1 -> i64.bool (i == t3[i1])) in
       tabulate d (\j ->
         (let s = f64.exp q[i, j] in
          (let s1 =
             reduce (+) 0f64 (tabulate n (\i1 -> if t11[i1] != 0i64 then t6[i1, j] else 0f64)) in
           (-s1) - reduce (+) 0f64 (tabulate n (\i1 -> t10[i1] * (t1[i1, i, j] * s * t[i1, i, j])))
             + t9
             + s1)
            - t8 * (factor[i, j, j] * s))
           + f64.i64 m)))
