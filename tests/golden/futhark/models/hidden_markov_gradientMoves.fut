-- Exported by redexter.

entry gradientMoves [t] [k] [m]
    (seen: [t]i64)
    (start: [k]f64)
    (moves: [k][k]f64)
    (shows: [k][m]f64) : [k][k]f64 =
  assert (m >= 1i64 && k >= 1i64)
    (let m1 = start[loop best = 0i64 for i < k do if start[best] < start[i] then i else best] in
     let shift = f64.floor (if f64.abs m1 <= 1.7976931348623157e308f64 then m1 else 0f64) in
     let e = tabulate k (\i -> f64.exp (start[i] - shift)) in
     let total = reduce (+) 0f64 e in
     let first = tabulate k (\i -> e[i] / total) in
     let table =
       tabulate k (\r ->
         loop best = 0i64 for i < k do if moves[r, best] < moves[r, i] then i else best) in
     let table1 =
       tabulate k (\r ->
         if f64.abs moves[r, table[r]] <= 1.7976931348623157e308f64
         then moves[r, table[r]]
         else 0f64) in
     let table2 = tabulate k (\r -> f64.floor table1[r]) in
     let table3 = tabulate k (\r -> tabulate k (\i -> moves[r, i] - table2[r])) in
     let table4 = tabulate k (\r -> tabulate k (\i -> f64.exp table3[r, i])) in
     let table5 = tabulate k (\r -> reduce (+) 0f64 table4[r]) in
     let table6 = tabulate k (\r -> tabulate k (\i -> table4[r, i] / table5[r])) in
     let table7 =
       tabulate k (\s ->
         shows[s,
          loop best = 0i64 for i < m do if shows[s, best] < shows[s, i] then i else best]) in
     let table8 =
       tabulate k (\s ->
         f64.floor (if f64.abs table7[s] <= 1.7976931348623157e308f64 then table7[s] else 0f64)) in
     let table9 = tabulate k (\s -> tabulate m (\i -> f64.exp (shows[s, i] - table8[s]))) in
     let table10 = tabulate k (\s -> reduce (+) 0f64 table9[s]) in
     let q = tabulate k (\s -> tabulate m (\i -> table9[s, i] / table10[s])) in
     let t1 =
       loop (scan_: ([k]f64, *[t](([k]f64, f64), [k]f64))) = (first,
          tabulate t (\_ ->
            ((tabulate k (\_ -> 0f64), 0f64), tabulate k (\_ -> 0f64)))) for i < t do
         let a = scan_.0 in
         let kept = scan_.1 in
         let all = reduce (+) 0f64 a in
         let table11 = tabulate k (\s -> tabulate k (\r -> a[r] * table6[r, s])) in
         let table12 = tabulate k (\s -> reduce (+) 0f64 table11[s]) in
         let table13 = tabulate k (\s -> table12[s] * q[s, seen[i]]) in
         let table14 = tabulate k (\s -> table13[s] / all) in
         (table14, kept with [i] = ((a, all), table14)) in
     let x = reduce (+) 0f64 t1.0 in
     let table11 = tabulate k (\i -> tabulate k (\s -> table6[i, s] / table5[i])) in
     let table12 = tabulate k (\_ -> 0f64) in
     let table13 =
       tabulate k (\i ->
         tabulate k (\j ->
           (loop (scan_: ([k]f64, *[t]f64)) = (table12, tabulate t (\_ -> 0f64)) for i1 < t do
              let dstate = scan_.0 in
              let kept = scan_.1 in
              let table13 = ((((t1.1)[i1]).0).0)[i] / (((t1.1)[i1]).0).1 in
              let table14 = table4[i, j] * ((((t1.1)[i1]).0).0)[i] in
              let sum = reduce (+) 0f64 dstate in
              (tabulate k (\s ->
                 (q[s, seen[i1]]
                    * (reduce (+) 0f64 (tabulate k (\r -> dstate[r] * table6[r, s]))
                       - table14 * table11[i, s])
                    - (((t1.1)[i1]).1)[s] * sum)
                   / (((t1.1)[i1]).0).1
                   + (if j == s then table13 * (table6[i, s] * q[s, seen[i1]]) else 0f64)),
               kept with [i1] = sum / (((t1.1)[i1]).0).1)).1)) in
     let table14 =
       tabulate k (\i ->
         tabulate t (\i1 -> ((((t1.1)[i1]).0).0)[i] / (table5[i] * (((t1.1)[i1]).0).1))) in
     let table15 =
       tabulate k (\i ->
         tabulate k (\s -> tabulate t (\i1 -> table14[i, i1] * (table4[i, s] * q[s, seen[i1]])))) in
     let table16 = tabulate k (\i -> tabulate t (\i1 -> ((((t1.1)[i1]).0).0)[i] / table5[i])) in
     let table17 =
       tabulate k (\i -> tabulate k (\s -> tabulate t (\i1 -> table16[i, i1] * table6[i, s]))) in
     let table18 =
       tabulate k (\i ->
         tabulate k (\j ->
           loop (dstate: [k]f64) = table12 for i1 < t do
             let sum = reduce (+) 0f64 dstate in
             tabulate k (\s ->
               (q[s, seen[i1]]
                  * (reduce (+) 0f64 (tabulate k (\r -> dstate[r] * table6[r, s]))
                     - table17[i, s, i1] * table4[i, j])
                  - (((t1.1)[i1]).1)[s] * sum)
                 / (((t1.1)[i1]).0).1
                 + (if j == s then table15[i, s, i1] else 0f64)))) in
     tabulate k (\i ->
       tabulate k (\j -> (-(reduce (+) 0f64 table18[i, j] / x)) - reduce (+) 0f64 table13[i, j])))
