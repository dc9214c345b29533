-- Exported by redexter.

entry dir [n] [d] [k] (points: [n][d]f64) (x: [k][d]f64) : [k][d]f64 =
  assert (k >= 1i64)
    (let t =
       let t = tabulate d (\j -> tabulate d (\l -> if j == l then 1f64 else 0f64)) in
       tabulate k (\i ->
         let t1 = tabulate k (\k1 -> i64.bool (i == k1)) in
         tabulate d (\j ->
           tabulate k (\k1 -> tabulate d (\l -> if t1[k1] != 0i64 then t[j, l] else 0f64)))) in
     let t1 = tabulate n (\i -> tabulate k (\j -> tabulate d (\c -> points[i, c] - x[j, c]))) in
     let t2 =
       tabulate n (\i ->
         tabulate k (\j -> reduce (+) 0f64 (tabulate d (\c -> t1[i, j, c] * t1[i, j, c])))) in
     let t3 =
       tabulate n (\i ->
         loop best = 0i64 for i1 < k do if t2[i, i1] < t2[i, best] then i1 else best) in
     let t4 = tabulate n (\i -> tabulate d (\c -> points[i, c] - x[t3[i], c])) in
     let t5 =
       tabulate k (\i ->
         tabulate d (\j -> tabulate n (\i1 -> tabulate d (\c -> 0f64 - t[i, j, t3[i1], c])))) in
     let first =
       let t6 = tabulate n (\i -> tabulate d (\c -> 2f64 * t4[i, c])) in
       tabulate k (\i ->
         tabulate d (\j ->
           reduce (+) 0f64 (tabulate n (\i1 ->
              reduce (+) 0f64 (tabulate d (\c -> t6[i1, c] * t5[i, j, i1, c])))))) in
     let second =
       tabulate k (\i ->
         tabulate d (\j ->
           reduce (+) 0f64 (tabulate n (\i1 ->
              reduce (+) 0f64 (tabulate d (\c -> 2f64 * t5[i, j, i1, c] * t5[i, j, i1, c])))))) in
     tabulate k (\j -> tabulate d (\c -> first[j, c] / second[j, c])))
