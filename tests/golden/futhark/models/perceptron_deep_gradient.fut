-- Exported by redexter.

entry gradient [n] [d] [o] [g] [h]
    (x: [n][d]f64)
    (y: [n][o]f64)
    (w1: [g][d]f64)
    (b1: [g]f64)
    (w2: [h][g]f64)
    (b2: [h]f64)
    (w3: [o][h]f64)
    (b3: [o]f64) : ([g][d]f64, ([g]f64, ([h][g]f64, ([h]f64, ([o][h]f64, [o]f64))))) =
  let s =
    tabulate n (\i ->
      tabulate g (\i1 ->
        f64.tanh (reduce (+) 0f64 (tabulate d (\j -> w1[i1, j] * x[i, j])) + b1[i1]))) in
  let s1 =
    tabulate n (\i ->
      tabulate h (\i1 ->
        f64.tanh (reduce (+) 0f64 (tabulate g (\j -> w2[i1, j] * s[i, j])) + b2[i1]))) in
  let s2 =
    tabulate n (\i ->
      tabulate o (\k ->
        reduce (+) 0f64 (tabulate h (\j -> w3[k, j] * s1[i, j])) + b3[k] - y[i, k])) in
  (let t =
     tabulate n (\i ->
       tabulate h (\j ->
         let t =
           (1f64 - s1[i, j] * s1[i, j])
             * reduce (+) 0f64 (tabulate o (\k -> s2[i, k] * w3[k, j])) in
         tabulate d (\j1 -> t * x[i, j1]))) in
   tabulate g (\i ->
     let t1 =
       let t1 = tabulate n (\i1 -> 1f64 - s[i1, i] * s[i1, i]) in
       tabulate h (\j -> tabulate n (\i1 -> w2[j, i] * t1[i1])) in
     tabulate d (\j ->
       reduce (+) 0f64 (tabulate n (\i1 ->
          reduce (+) 0f64 (tabulate h (\j1 ->
             let s3 = t1[j1, i1] * t[i1, j1, j] in
             s3 + s3)))))),
   (let t =
      tabulate n (\i ->
        tabulate h (\j ->
          (1f64 - s1[i, j] * s1[i, j])
            * reduce (+) 0f64 (tabulate o (\k -> s2[i, k] * w3[k, j])))) in
    tabulate g (\i ->
      reduce (+) 0f64 (tabulate n (\i1 ->
         let s3 =
           let t1 = 1f64 - s[i1, i] * s[i1, i] in
           reduce (+) 0f64 (tabulate h (\j -> t[i1, j] * (w2[j, i] * t1))) in
         s3 + s3))),
    (let t = tabulate n (\i -> tabulate o (\k -> tabulate g (\j -> s2[i, k] * s[i, j]))) in
     tabulate h (\i ->
       let t1 =
         let t1 = tabulate n (\i1 -> 1f64 - s1[i1, i] * s1[i1, i]) in
         tabulate o (\k -> tabulate n (\i1 -> w3[k, i] * t1[i1])) in
       tabulate g (\j ->
         2f64
           * reduce (+) 0f64 (tabulate n (\i1 ->
              reduce (+) 0f64 (tabulate o (\k -> t1[k, i1] * t[i1, k, j])))))),
     (tabulate h (\i ->
        2f64
          * reduce (+) 0f64 (tabulate n (\i1 ->
             let t = 1f64 - s1[i1, i] * s1[i1, i] in
             reduce (+) 0f64 (tabulate o (\k -> s2[i1, k] * (w3[k, i] * t)))))),
      (tabulate o (\i ->
         tabulate h (\j -> 2f64 * reduce (+) 0f64 (tabulate n (\i1 -> s2[i1, i] * s1[i1, j])))),
       tabulate o (\i -> 2f64 * reduce (+) 0f64 (tabulate n (\i1 -> s2[i1, i]))))))))
