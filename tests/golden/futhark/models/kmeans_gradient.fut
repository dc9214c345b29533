-- Exported by redexter.

entry gradient [n] [d] [k] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
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
     let t4 = tabulate k (\i -> tabulate n (\i1 -> i64.bool (i == t3[i1]))) in
     tabulate k (\i ->
       tabulate d (\j ->
         -(reduce (+) 0f64 (tabulate n (\i1 ->
             if t4[i, i1] != 0i64 then t2[i1, t3[i1], j] else 0f64))))))
