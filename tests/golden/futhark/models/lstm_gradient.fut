-- Exported by redexter.

entry gradient [t] [d] [h]
    (x: [t][d]f64)
    (y: [t][h]f64)
    (w: [4][h][d]f64)
    (u: [4][h][h]f64)
    (b: [4][h]f64) : ([4][h][d]f64, [4][h][h]f64, [4][h]f64) =
  #[unsafe]
  let table = replicate h 0f64
  let t1 =
    loop (a: ([h]f64, [h]f64),
     kept: *[t]((((((((([h]f64, ([h]f64, [h]f64)), [h]f64), [h]f64), [h]f64), [h]f64), [h]f64), [h]f64), [h]f64), [h]f64)) = ((table,
        copy table),
       tabulate t (\_ ->
         (((((((((replicate h 0f64, (replicate h 0f64, replicate h 0f64)), replicate h 0f64),
                replicate h 0f64),
               replicate h 0f64),
              replicate h 0f64),
             replicate h 0f64),
            replicate h 0f64),
           replicate h 0f64),
          replicate h 0f64))) for i < t do
      let z =
        tabulate 4 (\g ->
          tabulate h (\k ->
            b[g, k] + f64.sum (tabulate h (\i1 -> (a.0)[i1] * u[g, k, i1]))
              + f64.sum (tabulate d (\i1 -> x[i, i1] * w[g, k, i1]))))
      let table1 = tabulate h (\k -> f64.tanh (0.5f64 * z[0i64, k]))
      let table2 = tabulate h (\k -> 0.5f64 + 0.5f64 * table1[k])
      let table3 = tabulate h (\k -> f64.tanh (0.5f64 * z[1i64, k]))
      let table4 = tabulate h (\k -> 0.5f64 + 0.5f64 * table3[k])
      let table5 = tabulate h (\k -> f64.tanh z[2i64, k])
      let next = tabulate h (\k -> table5[k] * table4[k] + table2[k] * (a.1)[k])
      let table6 = tabulate h (\k -> f64.tanh (0.5f64 * z[3i64, k]))
      let table7 = tabulate h (\k -> 0.5f64 + 0.5f64 * table6[k])
      let table8 = tabulate h (\k -> f64.tanh next[k])
      let out = tabulate h (\k -> table8[k] * table7[k]) in
      ((out, next),
       kept with [i] = (((((((((out, a), table1), table2), table3), table4), table5), table6),
         table7),
        table8))
  let dddt =
    tabulate t (\i ->
      tabulate h (\k -> 2f64 * ((((((((((((t1.1)[i]).0).0).0).0).0).0).0).0).0)[k] - y[i, k])))
  let table1 = tabulate 4 (\g -> i64.bool (g == 1i64))
  let table2 = tabulate 4 (\g -> i64.bool (g == 0i64))
  let table3 = tabulate 4 (\g -> i64.bool (g == 2i64))
  let table4 = tabulate 4 (\g -> i64.bool (g == 3i64))
  let t2 =
    loop (l: ([h]f64, [h]f64), kept: *[t]((([h]f64, [h]f64), [h]f64), [h]f64)) = ((table,
        copy table),
       tabulate t (\_ ->
         (((replicate h 0f64, replicate h 0f64), replicate h 0f64),
          replicate h 0f64))) for round < t do
      let i = t - 1i64 - round
      let ddnext =
        tabulate h (\i1 ->
          (l.1)[i1]
            + ((((t1.1)[i]).0).1)[i1] * ((l.0)[i1] + dddt[i, i1])
              * (1f64 - (((t1.1)[i]).1)[i1] * (((t1.1)[i]).1)[i1]))
      let table5 =
        tabulate h (\k ->
          0.25f64 * (((t1.1)[i]).1)[k] * ((l.0)[k] + dddt[i, k])
            * (1f64 - (((((t1.1)[i]).0).0).1)[k] * (((((t1.1)[i]).0).0).1)[k]))
      let table6 =
        tabulate h (\k ->
          ddnext[k] * (((((((t1.1)[i]).0).0).0).0).1)[k]
            * (1f64 - ((((((t1.1)[i]).0).0).0).1)[k] * ((((((t1.1)[i]).0).0).0).1)[k]))
      let table7 =
        tabulate h (\k ->
          0.25f64 * ddnext[k] * ((((((t1.1)[i]).0).0).0).1)[k]
            * (1f64
               - ((((((((t1.1)[i]).0).0).0).0).0).1)[k] * ((((((((t1.1)[i]).0).0).0).0).0).1)[k]))
      let table8 =
        tabulate h (\k ->
          0.25f64 * ddnext[k] * ((((((((((((t1.1)[i]).0).0).0).0).0).0).0).0).1).1)[k]
            * (1f64
               - ((((((((((t1.1)[i]).0).0).0).0).0).0).0).1)[k]
                 * ((((((((((t1.1)[i]).0).0).0).0).0).0).0).1)[k]))
      let table9 = tabulate h (\k -> table8[k] + table7[k])
      let table10 =
        tabulate 4 (\g ->
          tabulate h (\k ->
            if table4[g] != 0i64
            then table5[k]
                + (if table3[g] != 0i64
                 then table6[k]
                     + (if table2[g] != 0i64
                      then if table1[g] != 0i64 then table9[k] else table8[k]
                      else if table1[g] != 0i64 then table7[k] else 0f64)
                 else if table2[g] != 0i64
                   then if table1[g] != 0i64 then table9[k] else table8[k]
                   else if table1[g] != 0i64 then table7[k] else 0f64)
            else if table3[g] != 0i64
              then table6[k]
                  + (if table2[g] != 0i64
                   then if table1[g] != 0i64 then table9[k] else table8[k]
                   else if table1[g] != 0i64 then table7[k] else 0f64)
              else if table2[g] != 0i64
                then if table1[g] != 0i64 then table9[k] else table8[k]
                else if table1[g] != 0i64 then table7[k] else 0f64)) in
      ((tabulate h (\i1 ->
          f64.sum (tabulate 4 (\g -> f64.sum (tabulate h (\k -> table10[g, k] * u[g, k, i1]))))),
        tabulate h (\k -> ddnext[k] * (((((((((t1.1)[i]).0).0).0).0).0).0).1)[k])),
       kept with [i] = (((table5, table6), table7), table8))
  let table5 = tabulate h (\i -> tabulate t (\i1 -> (((t2.1)[i1]).1)[i] + ((((t2.1)[i1]).0).1)[i]))
  let table6 =
    tabulate 4 (\i ->
      tabulate h (\i1 ->
        tabulate t (\i2 ->
          if table3[i] != 0i64
          then (((((t2.1)[i2]).0).0).1)[i1]
              + (if table4[i] != 0i64
               then (((((t2.1)[i2]).0).0).0)[i1]
                   + (if table1[i] != 0i64
                    then if table2[i] != 0i64 then table5[i1, i2] else ((((t2.1)[i2]).0).1)[i1]
                    else if table2[i] != 0i64 then (((t2.1)[i2]).1)[i1] else 0f64)
               else if table1[i] != 0i64
                 then if table2[i] != 0i64 then table5[i1, i2] else ((((t2.1)[i2]).0).1)[i1]
                 else if table2[i] != 0i64 then (((t2.1)[i2]).1)[i1] else 0f64)
          else if table4[i] != 0i64
            then (((((t2.1)[i2]).0).0).0)[i1]
                + (if table1[i] != 0i64
                 then if table2[i] != 0i64 then table5[i1, i2] else ((((t2.1)[i2]).0).1)[i1]
                 else if table2[i] != 0i64 then (((t2.1)[i2]).1)[i1] else 0f64)
            else if table1[i] != 0i64
              then if table2[i] != 0i64 then table5[i1, i2] else ((((t2.1)[i2]).0).1)[i1]
              else if table2[i] != 0i64 then (((t2.1)[i2]).1)[i1] else 0f64))) in
  (tabulate 4 (\i ->
     tabulate h (\i1 ->
       tabulate d (\i2 ->
         f64.sum (tabulate t (\i3 ->
            x[i3, i2]
              * ([((t2.1)[i3]).1,
                (((t2.1)[i3]).0).1,
                ((((t2.1)[i3]).0).0).1,
                ((((t2.1)[i3]).0).0).0])[i, i1]))))),
   tabulate 4 (\i ->
     tabulate h (\i1 ->
       tabulate h (\i2 ->
         f64.sum (tabulate t (\i3 ->
            table6[i, i1, i3] * ((((((((((((t1.1)[i3]).0).0).0).0).0).0).0).0).1).0)[i2]))))),
   [tabulate h (\i -> f64.sum (tabulate t (\i1 -> (((t2.1)[i1]).1)[i]))),
    tabulate h (\i -> f64.sum (tabulate t (\i1 -> ((((t2.1)[i1]).0).1)[i]))),
    tabulate h (\i -> f64.sum (tabulate t (\i1 -> (((((t2.1)[i1]).0).0).1)[i]))),
    tabulate h (\i -> f64.sum (tabulate t (\i1 -> (((((t2.1)[i1]).0).0).0)[i])))])
