-- Exported by redexter.

entry gradient [t] [k] [m]
    (seen: [t]i64)
    (start: [k]f64)
    (moves: [k][k]f64)
    (shows: [k][m]f64) : ([k]f64, [k][k]f64, [k][m]f64) =
  assert (m >= 1i64 && k >= 1i64)
    (let i = loop best = 0i64 for i < k do if start[best] < start[i] then i else best in
     let shift =
       f64.floor (if f64.abs start[i] <= 1.7976931348623157e308f64 then start[i] else 0f64) in
     let table = tabulate k (\i1 -> f64.exp (start[i1] - shift)) in
     let total = reduce (+) 0f64 table in
     let table1 = tabulate k (\i1 -> table[i1] / total) in
     let table2 =
       tabulate k (\r ->
         loop best = 0i64 for i1 < k do if moves[r, best] < moves[r, i1] then i1 else best) in
     let table3 =
       tabulate k (\r ->
         f64.floor
           (if f64.abs moves[r, table2[r]] <= 1.7976931348623157e308f64
            then moves[r, table2[r]]
            else 0f64)) in
     let table4 = tabulate k (\r -> tabulate k (\i1 -> f64.exp (moves[r, i1] - table3[r]))) in
     let table5 = tabulate k (\r -> reduce (+) 0f64 table4[r]) in
     let p = tabulate k (\r -> tabulate k (\i1 -> table4[r, i1] / table5[r])) in
     let table6 =
       tabulate k (\s ->
         loop best = 0i64 for i1 < m do if shows[s, best] < shows[s, i1] then i1 else best) in
     let table7 =
       tabulate k (\s ->
         f64.floor
           (if f64.abs shows[s, table6[s]] <= 1.7976931348623157e308f64
            then shows[s, table6[s]]
            else 0f64)) in
     let table8 = tabulate k (\s -> tabulate m (\i1 -> f64.exp (shows[s, i1] - table7[s]))) in
     let table9 = tabulate k (\s -> reduce (+) 0f64 table8[s]) in
     let q = tabulate k (\s -> tabulate m (\i1 -> table8[s, i1] / table9[s])) in
     let t1 =
       loop (scan_: ([k]f64, *[t]((([k]f64, f64), [k]f64), [k]f64))) = (table1,
          tabulate t (\_ ->
            (((tabulate k (\_ -> 0f64), 0f64), tabulate k (\_ -> 0f64)),
             tabulate k (\_ -> 0f64)))) for i1 < t do
         let a = scan_.0 in
         let kept = scan_.1 in
         let all = reduce (+) 0f64 a in
         let table10 = tabulate k (\s -> reduce (+) 0f64 (tabulate k (\r -> a[r] * p[r, s]))) in
         let table11 = tabulate k (\s -> table10[s] * q[s, seen[i1]] / all) in
         (table11, kept with [i1] = (((a, all), table10), table11)) in
     let ddx = -(1f64 / reduce (+) 0f64 t1.0) in
     let t2 =
       loop (scan_: ([k]f64, *[t]([k]f64, [k]f64))) = (tabulate k (\_ -> ddx),
          tabulate t (\_ -> (tabulate k (\_ -> 0f64), tabulate k (\_ -> 0f64)))) for round < t do
         let l = scan_.0 in
         let kept = scan_.1 in
         let i1 = t - 1i64 - round in
         let dtable = tabulate k (\s -> l[s] / ((((t1.1)[i1]).0).0).1) in
         let dtable1 = tabulate k (\s -> dtable[s] * q[s, seen[i1]]) in
         let ddall =
           (-(1f64 / ((((t1.1)[i1]).0).0).1))
             - reduce (+) 0f64 (tabulate k (\s1 -> dtable[s1] * (((t1.1)[i1]).1)[s1])) in
         (tabulate k (\i2 -> ddall + reduce (+) 0f64 (tabulate k (\s1 -> dtable1[s1] * p[i2, s1]))),
          kept with [i1] = (dtable, dtable1)) in
     let table10 = tabulate k (\i1 -> (t2.0)[i1] / total) in
     let ddtotal = -(reduce (+) 0f64 (tabulate k (\i1 -> table10[i1] * table1[i1]))) in
     let table11 =
       tabulate k (\r ->
         tabulate k (\i1 ->
           reduce (+) 0f64 (tabulate t (\i2 -> (((t2.1)[i2]).1)[i1] * (((((t1.1)[i2]).0).0).0)[r]))
             / table5[r])) in
     let dtable =
       tabulate k (\r -> -(reduce (+) 0f64 (tabulate k (\i1 -> table11[r, i1] * p[r, i1])))) in
     let table12 =
       tabulate t (\i1 -> tabulate k (\s -> (((t2.1)[i1]).0)[s] * ((((t1.1)[i1]).0).1)[s])) in
     let ddq =
       tabulate k (\i1 ->
         let entries = tabulate t (\i2 -> (seen[i2], table12[i2, i1])) in
         reduce_by_index (tabulate m (\_ -> 0f64)) (+) 0f64
           (tabulate t (\i2 -> (entries[i2]).0))
           (tabulate t (\i2 -> (entries[i2]).1))) in
     let table13 = tabulate k (\s -> tabulate m (\i1 -> ddq[s, i1] / table9[s])) in
     let dtable1 =
       tabulate k (\s -> -(reduce (+) 0f64 (tabulate m (\i1 -> table13[s, i1] * q[s, i1])))) in
     (tabulate k (\i1 -> table[i1] * (ddtotal + table10[i1])),
      tabulate k (\r -> tabulate k (\i1 -> table4[r, i1] * (dtable[r] + table11[r, i1]))),
      tabulate k (\s -> tabulate m (\i1 -> table8[s, i1] * (dtable1[s] + table13[s, i1])))))
