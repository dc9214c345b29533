-- Exported by redexter.

entry dir [n] [d] [k] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  assert (k >= 1i64)
    (let t =
       tabulate n (\i -> tabulate k (\j -> tabulate d (\c -> points[i, c] - centres[j, c]))) in
     let t1 =
       tabulate n (\i ->
         tabulate k (\j -> reduce (+) 0f64 (tabulate d (\c -> t[i, j, c] * t[i, j, c])))) in
     let t2 = tabulate n (\i -> tabulate k (\j -> tabulate d (\c -> 2f64 * t[i, j, c]))) in
     let t3 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if t1[i, i1] < t1[i, best] then i1 else best) in
     let t4 =
       tabulate k (\j ->
         reduce (+) 0f64 (tabulate n (\i ->
            let s = i64.bool (j == t3[i]) in
            if s != 0i64 then if s != 0i64 then 1f64 else 0f64 else 0f64))) in
     let t5 = tabulate k (\j -> tabulate n (\i -> i64.bool (j == t3[i]))) in
     tabulate k (\j ->
       tabulate d (\c ->
         -(0.5f64
            * reduce (+) 0f64 (tabulate n (\i ->
               if t5[j, i] != 0i64 then t2[i, t3[i], c] else 0f64))
            / t4[j]))))
