-- Exported by redexter.

entry gradientShows [t] [k] [m]
    (seen: [t]i64)
    (start: [k]f64)
    (moves: [k][k]f64)
    (shows: [k][m]f64) : [k][m]f64 =
  assert (m >= 1i64 && k >= 1i64)
    (let m1 = start[loop best = 0i64 for i < k do if start[best] < start[i] then i else best] in
     let shift = f64.floor (if f64.abs m1 <= 1.7976931348623157e308f64 then m1 else 0f64) in
     let e = tabulate k (\i -> f64.exp (start[i] - shift)) in
     let total = reduce (+) 0f64 e in
     let first = tabulate k (\i -> e[i] / total) in
     let table =
       tabulate k (\r ->
         moves[r,
          loop best = 0i64 for i < k do if moves[r, best] < moves[r, i] then i else best]) in
     let table1 =
       tabulate k (\r ->
         f64.floor (if f64.abs table[r] <= 1.7976931348623157e308f64 then table[r] else 0f64)) in
     let table2 = tabulate k (\r -> tabulate k (\i -> f64.exp (moves[r, i] - table1[r]))) in
     let table3 = tabulate k (\r -> reduce (+) 0f64 table2[r]) in
     let p = tabulate k (\r -> tabulate k (\i -> table2[r, i] / table3[r])) in
     let table4 =
       tabulate k (\s ->
         loop best = 0i64 for i < m do if shows[s, best] < shows[s, i] then i else best) in
     let table5 =
       tabulate k (\s ->
         if f64.abs shows[s, table4[s]] <= 1.7976931348623157e308f64
         then shows[s, table4[s]]
         else 0f64) in
     let table6 = tabulate k (\s -> f64.floor table5[s]) in
     let table7 = tabulate k (\s -> tabulate m (\i -> shows[s, i] - table6[s])) in
     let table8 = tabulate k (\s -> tabulate m (\i -> f64.exp table7[s, i])) in
     let table9 = tabulate k (\s -> reduce (+) 0f64 table8[s]) in
     let table10 = tabulate k (\s -> tabulate m (\i -> table8[s, i] / table9[s])) in
     let t1 =
       loop (scan_: ([k]f64, *[t]((f64, [k]f64), [k]f64))) = (first,
          tabulate t (\_ ->
            ((0f64, tabulate k (\_ -> 0f64)), tabulate k (\_ -> 0f64)))) for i < t do
         let a = scan_.0 in
         let kept = scan_.1 in
         let all = reduce (+) 0f64 a in
         let table11 = tabulate k (\s -> tabulate k (\r -> a[r] * p[r, s])) in
         let table12 = tabulate k (\s -> reduce (+) 0f64 table11[s]) in
         let table13 = tabulate k (\s -> table12[s] * table10[s, seen[i]]) in
         let table14 = tabulate k (\s -> table13[s] / all) in
         (table14, kept with [i] = ((all, table12), table14)) in
     let x = reduce (+) 0f64 t1.0 in
     let table11 = tabulate k (\_ -> 0f64) in
     let table12 =
       tabulate k (\i ->
         tabulate m (\j ->
           (loop (scan_: ([k]f64, *[t]f64)) = (table11, tabulate t (\_ -> 0f64)) for i1 < t do
              let dstate = scan_.0 in
              let kept = scan_.1 in
              let sum = reduce (+) 0f64 dstate in
              let table12 = i64.bool (j == seen[i1]) in
              (tabulate k (\s ->
                 (table10[s, seen[i1]] * reduce (+) 0f64 (tabulate k (\r -> dstate[r] * p[r, s]))
                    - (((t1.1)[i1]).1)[s] * sum)
                   / (((t1.1)[i1]).0).0
                   + (if i == s
                    then (if table12 != 0i64
                       then table8[s, seen[i1]] * ((((t1.1)[i1]).0).1)[s]
                           / (table9[s] * (((t1.1)[i1]).0).0)
                       else 0f64)
                        - table10[s, j]
                          * (table10[s, seen[i1]] * ((((t1.1)[i1]).0).1)[s] / (((t1.1)[i1]).0).0)
                    else 0f64)),
               kept with [i1] = sum / (((t1.1)[i1]).0).0)).1)) in
     let table13 =
       tabulate k (\s ->
         tabulate t (\i ->
           table8[s, seen[i]] * ((((t1.1)[i]).0).1)[s] / (table9[s] * (((t1.1)[i]).0).0))) in
     let table14 =
       tabulate k (\s ->
         tabulate t (\i ->
           table10[s, seen[i]] * ((((t1.1)[i]).0).1)[s] / (table9[s] * (((t1.1)[i]).0).0))) in
     let table15 = tabulate m (\j -> tabulate t (\i -> i64.bool (j == seen[i]))) in
     let table16 =
       tabulate k (\s ->
         tabulate m (\j ->
           tabulate t (\i ->
             (if table15[j, i] != 0i64 then table13[s, i] else 0f64)
               - table14[s, i] * table8[s, j]))) in
     let table17 =
       tabulate k (\i ->
         tabulate m (\j ->
           loop (dstate: [k]f64) = table11 for i1 < t do
             let sum = reduce (+) 0f64 dstate in
             tabulate k (\s ->
               (table10[s, seen[i1]] * reduce (+) 0f64 (tabulate k (\r -> dstate[r] * p[r, s]))
                  - (((t1.1)[i1]).1)[s] * sum)
                 / (((t1.1)[i1]).0).0
                 + (if i == s then table16[s, j, i1] else 0f64)))) in
     tabulate k (\i ->
       tabulate m (\j -> (-(reduce (+) 0f64 table17[i, j] / x)) - reduce (+) 0f64 table12[i, j])))
