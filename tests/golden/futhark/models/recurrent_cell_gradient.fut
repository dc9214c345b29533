-- Exported by redexter.

entry gradient [t] [d] [h]
    (x: [t][d]f64)
    (y: [t]f64)
    (w: [h][h]f64)
    (u: [h][d]f64)
    (c: [h]f64) : ([h][h]f64, [h][d]f64, [h]f64) =
  let table = tabulate h (\_ -> 0f64) in
  let t1 =
    loop (scan_: ([h]f64, *[t](([h]f64, [h]f64), [h]f64))) = (table,
       tabulate t (\_ ->
         ((tabulate h (\_ -> 0f64), tabulate h (\_ -> 0f64)),
          tabulate h (\_ -> 0f64)))) for i < t do
      let a = scan_.0 in
      let kept = scan_.1 in
      let table1 = tabulate h (\k -> tabulate h (\j -> a[j] * w[k, j])) in
      let table2 = tabulate h (\k -> reduce (+) 0f64 table1[k]) in
      let table3 = tabulate h (\k -> reduce (+) 0f64 (tabulate d (\j -> u[k, j] * x[i, j]))) in
      let table4 = tabulate h (\k -> table3[k] + table2[k]) in
      let table5 = tabulate h (\k -> f64.tanh table4[k]) in
      (table5, kept with [i] = ((table5, a), table2)) in
  let table1 =
    tabulate t (\i -> tabulate h (\k -> reduce (+) 0f64 (tabulate d (\j -> u[k, j] * x[i, j])))) in
  let table2 = tabulate t (\i -> tabulate h (\k -> table1[i, k] + (((t1.1)[i]).1)[k])) in
  let table3 = tabulate t (\i -> tabulate h (\k -> f64.tanh table2[i, k])) in
  let table4 = tabulate t (\i -> tabulate h (\k -> c[k] * ((((t1.1)[i]).0).0)[k])) in
  let table5 = tabulate t (\i -> reduce (+) 0f64 table4[i]) in
  let table6 = tabulate t (\i -> table5[i] - y[i]) in
  let table7 = tabulate t (\i -> 2f64 * table6[i]) in
  let t2 =
    loop (scan_: ([h]f64, *[t]([h]f64, [h]f64))) = (table,
       tabulate t (\_ -> (tabulate h (\_ -> 0f64), tabulate h (\_ -> 0f64)))) for i < t do
      let a = scan_.0 in
      let kept = scan_.1 in
      let table8 = tabulate h (\k -> tabulate h (\j -> a[j] * w[k, j])) in
      let table9 = tabulate h (\k -> reduce (+) 0f64 table8[k]) in
      let table10 = tabulate h (\k -> tabulate d (\j -> u[k, j] * x[i, j])) in
      let table11 = tabulate h (\k -> reduce (+) 0f64 table10[k]) in
      let table12 = tabulate h (\k -> table11[k] + table9[k]) in
      let table13 = tabulate h (\k -> f64.tanh table12[k]) in
      (table13, kept with [i] = (table13, table9)) in
  let table8 = tabulate t (\i -> tabulate h (\k -> tabulate d (\j -> u[k, j] * x[i, j]))) in
  let table9 = tabulate t (\i -> tabulate h (\k -> reduce (+) 0f64 table8[i, k])) in
  let table10 = tabulate t (\i -> tabulate h (\k -> table9[i, k] + (((t2.1)[i]).1)[k])) in
  let table11 = tabulate t (\i -> tabulate h (\k -> f64.tanh table10[i, k])) in
  let table12 = tabulate t (\i -> tabulate h (\k -> c[k] * (((t2.1)[i]).0)[k])) in
  let table13 = tabulate t (\i -> reduce (+) 0f64 table12[i]) in
  let table14 = tabulate t (\i -> table13[i] - y[i]) in
  let table15 = tabulate t (\i -> 2f64 * table14[i]) in
  let all =
    (loop (scan_: ([h]f64, *[t][h]f64)) = (table,
        tabulate t (\_ -> tabulate h (\_ -> 0f64))) for i < t do
       let state = scan_.0 in
       let kept = scan_.1 in
       let next =
         tabulate h (\k ->
           f64.tanh (table1[i, k] + reduce (+) 0f64 (tabulate h (\j -> state[j] * w[k, j])))) in
       (next, kept with [i] = next)).1 in
  let table16 = tabulate t (\i -> tabulate h (\k -> c[k] * all[i, k])) in
  let table17 = tabulate t (\i -> reduce (+) 0f64 table16[i]) in
  let table18 = tabulate t (\i -> table17[i] - y[i]) in
  let table19 = tabulate t (\i -> 2f64 * table18[i]) in
  let table20 =
    tabulate h (\i ->
      tabulate h (\j ->
        (loop (scan_: ([h]f64, *[t][h]f64)) = (table,
            tabulate t (\_ -> tabulate h (\_ -> 0f64))) for i1 < t do
           let dstate = scan_.0 in
           let kept = scan_.1 in
           let table20 =
             tabulate h (\k ->
               let s = 1f64 - table3[i1, k] * table3[i1, k] in
               (if i == k then ((((t1.1)[i1]).0).1)[j] * s else 0f64)
                 + s * reduce (+) 0f64 (tabulate h (\j1 -> dstate[j1] * w[k, j1]))) in
           (table20, kept with [i1] = table20)).1)) in
  let table21 =
    tabulate d (\j ->
      tabulate h (\i ->
        (loop (scan_: ([h]f64, *[t][h]f64)) = (table,
            tabulate t (\_ -> tabulate h (\_ -> 0f64))) for i1 < t do
           let dstate = scan_.0 in
           let kept = scan_.1 in
           let table21 =
             tabulate h (\k ->
               let s = 1f64 - table11[i1, k] * table11[i1, k] in
               (if i == k then x[i1, j] * s else 0f64)
                 + s * reduce (+) 0f64 (tabulate h (\j1 -> dstate[j1] * w[k, j1]))) in
           (table21, kept with [i1] = table21)).1)) in
  (tabulate h (\i ->
     tabulate h (\j ->
       reduce (+) 0f64 (tabulate t (\i1 ->
          table7[i1] * reduce (+) 0f64 (tabulate h (\k -> c[k] * table20[i, j, i1, k])))))),
   tabulate h (\i ->
     tabulate d (\j ->
       reduce (+) 0f64 (tabulate t (\i1 ->
          table15[i1] * reduce (+) 0f64 (tabulate h (\k -> c[k] * table21[j, i, i1, k])))))),
   tabulate h (\i -> reduce (+) 0f64 (tabulate t (\i1 -> table19[i1] * all[i1, i]))))
