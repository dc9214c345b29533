-- Exported by redexter.

entry gradientW [t] [d] [h]
    (x: [t][d]f64)
    (y: [t]f64)
    (w: [h][h]f64)
    (u: [h][d]f64)
    (c: [h]f64) : [h][h]f64 =
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
  let table8 =
    tabulate h (\i ->
      tabulate h (\j ->
        (loop (scan_: ([h]f64, *[t][h]f64)) = (table,
            tabulate t (\_ -> tabulate h (\_ -> 0f64))) for i1 < t do
           let dstate = scan_.0 in
           let kept = scan_.1 in
           let table8 =
             tabulate h (\k ->
               let s = 1f64 - table3[i1, k] * table3[i1, k] in
               (if i == k then ((((t1.1)[i1]).0).1)[j] * s else 0f64)
                 + s * reduce (+) 0f64 (tabulate h (\j1 -> dstate[j1] * w[k, j1]))) in
           (table8, kept with [i1] = table8)).1)) in
  tabulate h (\i ->
    tabulate h (\j ->
      reduce (+) 0f64 (tabulate t (\i1 ->
         table7[i1] * reduce (+) 0f64 (tabulate h (\k -> c[k] * table8[i, j, i1, k]))))))
