-- Exported by redexter.

entry gradient [k] [size]
    (t: i64)
    (labels: [size]i64)
    (moves: [k][k]f64)
    (emissions: [size][k]f64) : ([k][k]f64, [][k]f64) =
  let t_plus_1 = t + 1i64 in
  let k_times_k = k * k in
  let labels = labels :> [t_plus_1]i64 in
  let emissions = emissions :> [t_plus_1][k]f64 in
  assert (k >= 1i64)
    (let t1 =
       loop (scan_: ([k]f64, *[t]([k][k]f64, [k]f64))) = (emissions[0i64],
          tabulate t (\_ ->
            (tabulate k (\_ -> tabulate k (\_ -> 0f64)), tabulate k (\_ -> 0f64)))) for i < t do
         let a = scan_.0 in
         let kept = scan_.1 in
         let table = tabulate k (\s -> tabulate k (\r -> a[r] + moves[r, s])) in
         let table1 =
           tabulate k (\s ->
             loop best = 0i64 for i1 < k do if table[s, best] < table[s, i1] then i1 else best) in
         let table2 =
           tabulate k (\s ->
             f64.floor
               (if f64.abs table[s, table1[s]] <= 1.7976931348623157e308f64
                then table[s, table1[s]]
                else 0f64)) in
         let table3 = tabulate k (\s -> tabulate k (\i1 -> f64.exp (table[s, i1] - table2[s]))) in
         let table4 = tabulate k (\s -> reduce (+) 0f64 table3[s]) in
         (tabulate k (\s -> table2[s] + f64.log table4[s] + emissions[i + 1i64, s]),
          kept with [i] = (table3, table4)) in
     let i = loop best = 0i64 for i < k do if (t1.0)[best] < (t1.0)[i] then i else best in
     let shift =
       f64.floor (if f64.abs (t1.0)[i] <= 1.7976931348623157e308f64 then (t1.0)[i] else 0f64) in
     let table = tabulate k (\i1 -> f64.exp ((t1.0)[i1] - shift)) in
     let ddx = 1f64 / reduce (+) 0f64 table in
     let t2 =
       loop (scan_: (([k]f64, [k][k]f64), *[t][k]f64)) = ((tabulate k (\i1 -> ddx * table[i1]),
           tabulate k (\_ -> tabulate k (\_ -> 0f64))),
          tabulate t (\_ -> tabulate k (\_ -> 0f64))) for round < t do
         let l = scan_.0 in
         let kept = scan_.1 in
         let i1 = t - 1i64 - round in
         let dtable = tabulate k (\s -> (l.0)[s] / (((t1.1)[i1]).1)[s]) in
         ((tabulate k (\i2 ->
             reduce (+) 0f64 (tabulate k (\s1 -> dtable[s1] * (((t1.1)[i1]).0)[s1, i2]))),
           tabulate k (\j ->
             tabulate k (\j1 -> (l.1)[j, j1] + dtable[j] * (((t1.1)[i1]).0)[j, j1]))),
          kept with [i1] = l.0) in
     let table1 = tabulate k (\_ -> 0f64) in
     let x =
       tabulate t_plus_1 (\i1 ->
         let i2 = i1 - 1i64 in
         if 0i64 <= i2 && i2 < t then (t2.1)[i2] else table1) in
     let t3 =
       let entries = tabulate t (\i1 -> (labels[i1] * k + labels[i1 + 1i64], -1f64)) in
       reduce_by_index (tabulate k_times_k (\_ -> 0f64)) (+) 0f64
         (tabulate t (\i1 -> (entries[i1]).0))
         (tabulate t (\i1 -> (entries[i1]).1)) in
     let table2 =
       tabulate t_plus_1 (\i1 ->
         if i1 == 0i64 then tabulate k (\i2 -> ((t2.0).0)[i2] + x[i1, i2]) else x[i1]) in
     (tabulate k (\i1 -> tabulate k (\i2 -> t3[i1 * k + i2] + ((t2.0).1)[i2, i1])),
      tabulate t_plus_1 (\i1 ->
        tabulate k (\i2 -> if i2 == labels[i1] then table2[i1, i2] - 1f64 else table2[i1, i2]))))
