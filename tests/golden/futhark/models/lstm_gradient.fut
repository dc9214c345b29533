-- Exported by redexter.

entry gradient [t] [d] [h]
    (x: [t][d]f64)
    (y: [t][h]f64)
    (w: [4][h][d]f64)
    (u: [4][h][h]f64)
    (b: [4][h]f64) : ([4][h][d]f64, [4][h][h]f64, [4][h]f64) =
  let table =
    tabulate t (\i ->
      tabulate 4 (\g ->
        tabulate h (\k -> reduce (+) 0f64 (tabulate d (\i1 -> x[i, i1] * w[g, k, i1]))))) in
  let table1 = tabulate h (\_ -> 0f64) in
  let t1 =
    loop (scan_: (([h]f64, [h]f64), *[t]((((((((([h]f64, ([h]f64, [h]f64)), [h]f64), [h]f64), [h]f64), [h]f64), [h]f64), [h]f64), [h]f64), [h]f64))) = ((table1,
        table1),
       tabulate t (\_ ->
         (((((((((tabulate h (\_ -> 0f64), (tabulate h (\_ -> 0f64), tabulate h (\_ -> 0f64))),
                 tabulate h (\_ -> 0f64)),
                tabulate h (\_ -> 0f64)),
               tabulate h (\_ -> 0f64)),
              tabulate h (\_ -> 0f64)),
             tabulate h (\_ -> 0f64)),
            tabulate h (\_ -> 0f64)),
           tabulate h (\_ -> 0f64)),
          tabulate h (\_ -> 0f64)))) for i < t do
      let a = scan_.0 in
      let kept = scan_.1 in
      let z =
        tabulate 4 (\g ->
          tabulate h (\k ->
            b[g, k] + table[i, g, k]
              + reduce (+) 0f64 (tabulate h (\i1 -> (a.0)[i1] * u[g, k, i1])))) in
      let table2 = tabulate h (\k -> f64.tanh (0.5f64 * z[0i64, k])) in
      let table3 = tabulate h (\k -> 0.5f64 + 0.5f64 * table2[k]) in
      let table4 = tabulate h (\k -> f64.tanh (0.5f64 * z[1i64, k])) in
      let table5 = tabulate h (\k -> 0.5f64 + 0.5f64 * table4[k]) in
      let table6 = tabulate h (\k -> f64.tanh z[2i64, k]) in
      let next = tabulate h (\k -> table6[k] * table5[k] + table3[k] * (a.1)[k]) in
      let table7 = tabulate h (\k -> f64.tanh (0.5f64 * z[3i64, k])) in
      let table8 = tabulate h (\k -> 0.5f64 + 0.5f64 * table7[k]) in
      let table9 = tabulate h (\k -> f64.tanh next[k]) in
      let out = tabulate h (\k -> table9[k] * table8[k]) in
      ((out, next),
       kept with [i] = (((((((((out, a), table2), table3), table4), table5), table6), table7),
         table8),
        table9)) in
  let table2 =
    tabulate t (\i ->
      tabulate h (\k ->
        1f64
          - ((((((((((t1.1)[i]).0).0).0).0).0).0).0).1)[k]
            * ((((((((((t1.1)[i]).0).0).0).0).0).0).0).1)[k])) in
  let table3 =
    tabulate t (\i ->
      tabulate h (\k ->
        1f64 - ((((((((t1.1)[i]).0).0).0).0).0).1)[k] * ((((((((t1.1)[i]).0).0).0).0).0).1)[k])) in
  let table4 =
    tabulate t (\i ->
      tabulate h (\k -> 1f64 - ((((((t1.1)[i]).0).0).0).1)[k] * ((((((t1.1)[i]).0).0).0).1)[k])) in
  let table5 =
    tabulate t (\i ->
      tabulate h (\k -> 1f64 - (((((t1.1)[i]).0).0).1)[k] * (((((t1.1)[i]).0).0).1)[k])) in
  let table6 =
    tabulate t (\i -> tabulate h (\k -> 1f64 - (((t1.1)[i]).1)[k] * (((t1.1)[i]).1)[k])) in
  let dddt =
    tabulate t (\i ->
      tabulate h (\k -> 2f64 * ((((((((((((t1.1)[i]).0).0).0).0).0).0).0).0).0)[k] - y[i, k]))) in
  let table7 =
    tabulate t (\i -> tabulate h (\k -> 0.5f64 * dddt[i, k] * table5[i, k] * (((t1.1)[i]).1)[k])) in
  let table8 =
    tabulate t (\i -> tabulate h (\k -> dddt[i, k] * table6[i, k] * ((((t1.1)[i]).0).1)[k])) in
  let table9 =
    tabulate t (\i -> tabulate h (\k -> table8[i, k] * (((((((t1.1)[i]).0).0).0).0).1)[k])) in
  let table10 =
    tabulate t (\i ->
      tabulate h (\k -> 0.5f64 * table8[i, k] * table3[i, k] * ((((((t1.1)[i]).0).0).0).1)[k])) in
  let table11 =
    tabulate t (\i ->
      tabulate h (\k ->
        0.5f64 * table8[i, k] * table2[i, k]
          * ((((((((((((t1.1)[i]).0).0).0).0).0).0).0).0).1).1)[k])) in
  let t2 =
    loop (scan_: (([h]f64, [h]f64), *[t]((([h]f64, [h]f64), [h]f64), [h]f64))) = ((table1, table1),
       tabulate t (\_ ->
         (((tabulate h (\_ -> 0f64), tabulate h (\_ -> 0f64)), tabulate h (\_ -> 0f64)),
          tabulate h (\_ -> 0f64)))) for round < t do
      let l = scan_.0 in
      let kept = scan_.1 in
      let i = t - 1i64 - round in
      let ddnext =
        tabulate h (\i1 -> (l.1)[i1] + (l.0)[i1] * table6[i, i1] * ((((t1.1)[i]).0).1)[i1]) in
      let table12 = tabulate h (\k -> 0.25f64 * (l.0)[k] * table5[i, k] * (((t1.1)[i]).1)[k]) in
      let table13 =
        tabulate h (\k -> ddnext[k] * table4[i, k] * (((((((t1.1)[i]).0).0).0).0).1)[k]) in
      let table14 =
        tabulate h (\k -> 0.25f64 * ddnext[k] * table3[i, k] * ((((((t1.1)[i]).0).0).0).1)[k]) in
      let table15 =
        tabulate h (\k ->
          0.25f64 * ddnext[k] * table2[i, k]
            * ((((((((((((t1.1)[i]).0).0).0).0).0).0).0).0).1).1)[k]) in
      let x1 = tabulate h (\i1 -> table12[i1] + 0.5f64 * table7[i, i1]) in
      let x2 = tabulate h (\i1 -> table13[i1] + table9[i, i1] * table4[i, i1]) in
      let x3 = tabulate h (\i1 -> table14[i1] + 0.5f64 * table10[i, i1]) in
      let x4 = tabulate h (\i1 -> table15[i1] + 0.5f64 * table11[i, i1]) in
      ((tabulate h (\i1 ->
          reduce (+) 0f64 (tabulate 4 (\g ->
             reduce (+) 0f64 (tabulate h (\k -> u[g, k, i1] * ([x4, x3, x2, x1])[g, k]))))),
        tabulate h (\i1 ->
          ddnext[i1] * (((((((((t1.1)[i]).0).0).0).0).0).0).1)[i1]
            + table8[i, i1] * (((((((((t1.1)[i]).0).0).0).0).0).0).1)[i1])),
       kept with [i] = (((table12, table13), table14), table15)) in
  let table12 = tabulate t (\i -> tabulate h (\k -> 0.5f64 * table7[i, k])) in
  let table13 = tabulate t (\i -> tabulate h (\k -> table9[i, k] * table4[i, k])) in
  let table14 = tabulate t (\i -> tabulate h (\k -> 0.5f64 * table10[i, k])) in
  let table15 = tabulate t (\i -> tabulate h (\k -> 0.5f64 * table11[i, k])) in
  let table16 =
    tabulate 4 (\g ->
      tabulate h (\k ->
        tabulate t (\i ->
          ([table15[i], table14[i], table13[i], table12[i]])[g, k]
            + ([((t2.1)[i]).1, (((t2.1)[i]).0).1, ((((t2.1)[i]).0).0).1, ((((t2.1)[i]).0).0).0])[g,
             k]))) in
  let t3 =
    loop (scan_: (([h]f64, [h]f64), *[t]((([h]f64, [h]f64), [h]f64), [h]f64))) = ((table1, table1),
       tabulate t (\_ ->
         (((tabulate h (\_ -> 0f64), tabulate h (\_ -> 0f64)), tabulate h (\_ -> 0f64)),
          tabulate h (\_ -> 0f64)))) for round < t do
      let l = scan_.0 in
      let kept = scan_.1 in
      let i = t - 1i64 - round in
      let ddnext =
        tabulate h (\i1 ->
          (l.1)[i1] + table6[i, i1] * ((((t1.1)[i]).0).1)[i1] * ((l.0)[i1] + dddt[i, i1])) in
      let table17 =
        tabulate h (\k -> 0.25f64 * table5[i, k] * (((t1.1)[i]).1)[k] * ((l.0)[k] + dddt[i, k])) in
      let table18 =
        tabulate h (\k -> ddnext[k] * table4[i, k] * (((((((t1.1)[i]).0).0).0).0).1)[k]) in
      let table19 =
        tabulate h (\k -> 0.25f64 * ddnext[k] * table3[i, k] * ((((((t1.1)[i]).0).0).0).1)[k]) in
      let table20 =
        tabulate h (\k ->
          0.25f64 * ddnext[k] * table2[i, k]
            * ((((((((((((t1.1)[i]).0).0).0).0).0).0).0).0).1).1)[k]) in
      ((tabulate h (\i1 ->
          reduce (+) 0f64 (tabulate 4 (\g ->
             reduce (+) 0f64 (tabulate h (\k ->
                u[g, k, i1] * ([table20, table19, table18, table17])[g, k]))))),
        tabulate h (\k -> ddnext[k] * (((((((((t1.1)[i]).0).0).0).0).0).0).1)[k])),
       kept with [i] = (((table17, table18), table19), table20)) in
  (tabulate 4 (\i ->
     tabulate h (\i1 ->
       tabulate d (\i2 -> reduce (+) 0f64 (tabulate t (\i3 -> x[i3, i2] * table16[i, i1, i3]))))),
   tabulate 4 (\i ->
     tabulate h (\i1 ->
       tabulate h (\i2 ->
         reduce (+) 0f64 (tabulate t (\i3 ->
            ((((((((((((t1.1)[i3]).0).0).0).0).0).0).0).0).1).0)[i2]
              * ([((t3.1)[i3]).1,
                (((t3.1)[i3]).0).1,
                ((((t3.1)[i3]).0).0).1,
                ((((t3.1)[i3]).0).0).0])[i, i1]))))),
   [tabulate h (\i -> reduce (+) 0f64 (tabulate t (\i1 -> (((t3.1)[i1]).1)[i]))),
    tabulate h (\i -> reduce (+) 0f64 (tabulate t (\i1 -> ((((t3.1)[i1]).0).1)[i]))),
    tabulate h (\i -> reduce (+) 0f64 (tabulate t (\i1 -> (((((t3.1)[i1]).0).0).1)[i]))),
    tabulate h (\i -> reduce (+) 0f64 (tabulate t (\i1 -> (((((t3.1)[i1]).0).0).0)[i])))])
