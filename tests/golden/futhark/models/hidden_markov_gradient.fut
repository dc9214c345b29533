-- Exported by redexter.

entry gradient [t] [k] [m]
    (seen: [t]i64)
    (start: [k]f64)
    (moves: [k][k]f64)
    (shows: [k][m]f64) : ([k]f64, [k][k]f64, [k][m]f64) =
  assert (m >= 1i64 && k >= 1i64)
    (let i = loop best = 0i64 for i < k do if start[best] < start[i] then i else best in
     let x = if f64.abs start[i] <= 1.7976931348623157e308f64 then start[i] else 0f64 in
     let shift = f64.floor x in
     let table = tabulate k (\i1 -> start[i1] - shift) in
     let table1 = tabulate k (\i1 -> f64.exp table[i1]) in
     let total = reduce (+) 0f64 table1 in
     let table2 = tabulate k (\i1 -> table1[i1] / total) in
     let table3 =
       tabulate k (\r ->
         moves[r,
          loop best = 0i64 for i1 < k do if moves[r, best] < moves[r, i1] then i1 else best]) in
     let table4 =
       tabulate k (\r ->
         f64.floor (if f64.abs table3[r] <= 1.7976931348623157e308f64 then table3[r] else 0f64)) in
     let table5 = tabulate k (\r -> tabulate k (\i1 -> f64.exp (moves[r, i1] - table4[r]))) in
     let table6 = tabulate k (\r -> reduce (+) 0f64 table5[r]) in
     let p = tabulate k (\r -> tabulate k (\i1 -> table5[r, i1] / table6[r])) in
     let table7 =
       tabulate k (\s ->
         shows[s,
          loop best = 0i64 for i1 < m do if shows[s, best] < shows[s, i1] then i1 else best]) in
     let table8 =
       tabulate k (\s ->
         f64.floor (if f64.abs table7[s] <= 1.7976931348623157e308f64 then table7[s] else 0f64)) in
     let table9 = tabulate k (\s -> tabulate m (\i1 -> f64.exp (shows[s, i1] - table8[s]))) in
     let table10 = tabulate k (\s -> reduce (+) 0f64 table9[s]) in
     let q = tabulate k (\s -> tabulate m (\i1 -> table9[s, i1] / table10[s])) in
     let t1 =
       loop (scan_: ([k]f64, *[t](f64, [k]f64))) = (table2,
          tabulate t (\_ -> (0f64, tabulate k (\_ -> 0f64)))) for i1 < t do
         let a = scan_.0 in
         let kept = scan_.1 in
         let all = reduce (+) 0f64 a in
         let table11 = tabulate k (\s -> tabulate k (\r -> a[r] * p[r, s])) in
         let table12 = tabulate k (\s -> reduce (+) 0f64 table11[s]) in
         let table13 = tabulate k (\s -> table12[s] * q[s, seen[i1]]) in
         let table14 = tabulate k (\s -> table13[s] / all) in
         (table14, kept with [i1] = (all, table14)) in
     let x1 = reduce (+) 0f64 t1.0 in
     let table11 =
       tabulate k (\r ->
         loop best = 0i64 for i1 < k do if moves[r, best] < moves[r, i1] then i1 else best) in
     let table12 =
       tabulate k (\r ->
         if f64.abs moves[r, table11[r]] <= 1.7976931348623157e308f64
         then moves[r, table11[r]]
         else 0f64) in
     let table13 = tabulate k (\r -> f64.floor table12[r]) in
     let table14 = tabulate k (\r -> tabulate k (\i1 -> moves[r, i1] - table13[r])) in
     let table15 = tabulate k (\r -> tabulate k (\i1 -> f64.exp table14[r, i1])) in
     let table16 = tabulate k (\r -> reduce (+) 0f64 table15[r]) in
     let table17 = tabulate k (\r -> tabulate k (\i1 -> table15[r, i1] / table16[r])) in
     let t2 =
       loop (scan_: ([k]f64, *[t](([k]f64, f64), [k]f64))) = (table2,
          tabulate t (\_ ->
            ((tabulate k (\_ -> 0f64), 0f64), tabulate k (\_ -> 0f64)))) for i1 < t do
         let a = scan_.0 in
         let kept = scan_.1 in
         let all = reduce (+) 0f64 a in
         let table18 = tabulate k (\s -> tabulate k (\r -> a[r] * table17[r, s])) in
         let table19 = tabulate k (\s -> reduce (+) 0f64 table18[s]) in
         let table20 = tabulate k (\s -> table19[s] * q[s, seen[i1]]) in
         let table21 = tabulate k (\s -> table20[s] / all) in
         (table21, kept with [i1] = ((a, all), table21)) in
     let x2 = reduce (+) 0f64 t2.0 in
     let table18 =
       tabulate k (\s ->
         loop best = 0i64 for i1 < m do if shows[s, best] < shows[s, i1] then i1 else best) in
     let table19 =
       tabulate k (\s ->
         if f64.abs shows[s, table18[s]] <= 1.7976931348623157e308f64
         then shows[s, table18[s]]
         else 0f64) in
     let table20 = tabulate k (\s -> f64.floor table19[s]) in
     let table21 = tabulate k (\s -> tabulate m (\i1 -> shows[s, i1] - table20[s])) in
     let table22 = tabulate k (\s -> tabulate m (\i1 -> f64.exp table21[s, i1])) in
     let table23 = tabulate k (\s -> reduce (+) 0f64 table22[s]) in
     let table24 = tabulate k (\s -> tabulate m (\i1 -> table22[s, i1] / table23[s])) in
     let t3 =
       loop (scan_: ([k]f64, *[t]((f64, [k]f64), [k]f64))) = (table2,
          tabulate t (\_ ->
            ((0f64, tabulate k (\_ -> 0f64)), tabulate k (\_ -> 0f64)))) for i1 < t do
         let a = scan_.0 in
         let kept = scan_.1 in
         let all = reduce (+) 0f64 a in
         let table25 = tabulate k (\s -> tabulate k (\r -> a[r] * p[r, s])) in
         let table26 = tabulate k (\s -> reduce (+) 0f64 table25[s]) in
         let table27 = tabulate k (\s -> table26[s] * table24[s, seen[i1]]) in
         let table28 = tabulate k (\s -> table27[s] / all) in
         (table28, kept with [i1] = ((all, table26), table28)) in
     let x3 = reduce (+) 0f64 t3.0 in
     let table25 = tabulate k (\_ -> 0f64) in
     let table26 =
       tabulate k (\i1 ->
         tabulate m (\j ->
           (loop (scan_: ([k]f64, *[t]f64)) = (table25, tabulate t (\_ -> 0f64)) for i2 < t do
              let dstate = scan_.0 in
              let kept = scan_.1 in
              let sum = reduce (+) 0f64 dstate in
              let table26 = i64.bool (j == seen[i2]) in
              (tabulate k (\s ->
                 (table24[s, seen[i2]] * reduce (+) 0f64 (tabulate k (\r -> dstate[r] * p[r, s]))
                    - (((t3.1)[i2]).1)[s] * sum)
                   / (((t3.1)[i2]).0).0
                   + (if i1 == s
                    then (if table26 != 0i64
                       then table22[s, seen[i2]] * ((((t3.1)[i2]).0).1)[s]
                           / (table23[s] * (((t3.1)[i2]).0).0)
                       else 0f64)
                        - table24[s, j]
                          * (table24[s, seen[i2]] * ((((t3.1)[i2]).0).1)[s] / (((t3.1)[i2]).0).0)
                    else 0f64)),
               kept with [i2] = sum / (((t3.1)[i2]).0).0)).1)) in
     let table27 = tabulate k (\i1 -> tabulate k (\s -> table17[i1, s] / table16[i1])) in
     let table28 =
       tabulate k (\i1 ->
         tabulate k (\j ->
           (loop (scan_: ([k]f64, *[t]f64)) = (table25, tabulate t (\_ -> 0f64)) for i2 < t do
              let dstate = scan_.0 in
              let kept = scan_.1 in
              let table28 = ((((t2.1)[i2]).0).0)[i1] / (((t2.1)[i2]).0).1 in
              let table29 = table15[i1, j] * ((((t2.1)[i2]).0).0)[i1] in
              let sum = reduce (+) 0f64 dstate in
              (tabulate k (\s ->
                 (q[s, seen[i2]]
                    * (reduce (+) 0f64 (tabulate k (\r -> dstate[r] * table17[r, s]))
                       - table29 * table27[i1, s])
                    - (((t2.1)[i2]).1)[s] * sum)
                   / (((t2.1)[i2]).0).1
                   + (if j == s then table28 * (table17[i1, s] * q[s, seen[i2]]) else 0f64)),
               kept with [i2] = sum / (((t2.1)[i2]).0).1)).1)) in
     let table29 =
       tabulate k (\s ->
         tabulate t (\i1 ->
           table22[s, seen[i1]] * ((((t3.1)[i1]).0).1)[s] / (table23[s] * (((t3.1)[i1]).0).0))) in
     let table30 =
       tabulate k (\s ->
         tabulate t (\i1 ->
           table24[s, seen[i1]] * ((((t3.1)[i1]).0).1)[s] / (table23[s] * (((t3.1)[i1]).0).0))) in
     let table31 = tabulate m (\j -> tabulate t (\i1 -> i64.bool (j == seen[i1]))) in
     let table32 =
       tabulate k (\s ->
         tabulate m (\j ->
           tabulate t (\i1 ->
             (if table31[j, i1] != 0i64 then table29[s, i1] else 0f64)
               - table30[s, i1] * table22[s, j]))) in
     let table33 =
       tabulate k (\i1 ->
         tabulate m (\j ->
           loop (dstate: [k]f64) = table25 for i2 < t do
             let sum = reduce (+) 0f64 dstate in
             tabulate k (\s ->
               (table24[s, seen[i2]] * reduce (+) 0f64 (tabulate k (\r -> dstate[r] * p[r, s]))
                  - (((t3.1)[i2]).1)[s] * sum)
                 / (((t3.1)[i2]).0).0
                 + (if i1 == s then table32[s, j, i2] else 0f64)))) in
     let table34 =
       tabulate k (\i1 ->
         tabulate t (\i2 -> ((((t2.1)[i2]).0).0)[i1] / (table16[i1] * (((t2.1)[i2]).0).1))) in
     let table35 =
       tabulate k (\i1 ->
         tabulate k (\s ->
           tabulate t (\i2 -> table34[i1, i2] * (table15[i1, s] * q[s, seen[i2]])))) in
     let table36 = tabulate k (\i1 -> tabulate t (\i2 -> ((((t2.1)[i2]).0).0)[i1] / table16[i1])) in
     let table37 =
       tabulate k (\i1 ->
         tabulate k (\s -> tabulate t (\i2 -> table36[i1, i2] * table17[i1, s]))) in
     let table38 =
       tabulate k (\i1 ->
         tabulate k (\j ->
           loop (dstate: [k]f64) = table25 for i2 < t do
             let sum = reduce (+) 0f64 dstate in
             tabulate k (\s ->
               (q[s, seen[i2]]
                  * (reduce (+) 0f64 (tabulate k (\r -> dstate[r] * table17[r, s]))
                     - table37[i1, s, i2] * table15[i1, j])
                  - (((t2.1)[i2]).1)[s] * sum)
                 / (((t2.1)[i2]).0).1
                 + (if j == s then table35[i1, s, i2] else 0f64)))) in
     let table39 = tabulate k (\i1 -> table2[i1] / total) in
     let table40 =
       tabulate k (\i1 ->
         (loop (scan_: ([k]f64, *[t]f64)) = (tabulate k (\i2 ->
               (if i1 == i2 then table2[i2] else 0f64) - table39[i2] * table1[i1]),
             tabulate t (\_ -> 0f64)) for i2 < t do
            let dstate = scan_.0 in
            let kept = scan_.1 in
            let sum = reduce (+) 0f64 dstate in
            (tabulate k (\s ->
               (q[s, seen[i2]] * reduce (+) 0f64 (tabulate k (\r -> dstate[r] * p[r, s]))
                  - (((t1.1)[i2]).1)[s] * sum)
                 / ((t1.1)[i2]).0),
             kept with [i2] = sum / ((t1.1)[i2]).0)).1) in
     let table41 =
       tabulate k (\i1 ->
         loop (dstate: [k]f64) = tabulate k (\i2 ->
             (if i1 == i2 then table2[i2] else 0f64) - table39[i2] * table1[i1]) for i2 < t do
           let sum = reduce (+) 0f64 dstate in
           tabulate k (\s ->
             (q[s, seen[i2]] * reduce (+) 0f64 (tabulate k (\r -> dstate[r] * p[r, s]))
                - (((t1.1)[i2]).1)[s] * sum)
               / ((t1.1)[i2]).0)) in
     (tabulate k (\i1 -> (-(reduce (+) 0f64 table41[i1] / x1)) - reduce (+) 0f64 table40[i1]),
      tabulate k (\i1 ->
        tabulate k (\j ->
          (-(reduce (+) 0f64 table38[i1, j] / x2)) - reduce (+) 0f64 table28[i1, j])),
      tabulate k (\i1 ->
        tabulate m (\j ->
          (-(reduce (+) 0f64 table33[i1, j] / x3)) - reduce (+) 0f64 table26[i1, j]))))
