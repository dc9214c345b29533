-- Exported by redexter.

entry gradient [t] [d] [h]
    (x: [t][d]f64)
    (y: [t]f64)
    (w: [h][h]f64)
    (u: [h][d]f64)
    (c: [h]f64) : ([h][h]f64, [h][d]f64, [h]f64) =
  let table = tabulate h (\_ -> 0f64) in
  let t1 =
    loop (scan_: ([h]f64, *[t]([h]f64, [h]f64))) = (table,
       tabulate t (\_ -> (tabulate h (\_ -> 0f64), tabulate h (\_ -> 0f64)))) for i < t do
      let a = scan_.0 in
      let kept = scan_.1 in
      let table1 =
        tabulate h (\k ->
          f64.tanh
            (reduce (+) 0f64 (tabulate h (\j -> a[j] * w[k, j]))
               + reduce (+) 0f64 (tabulate d (\j -> u[k, j] * x[i, j])))) in
      (table1, kept with [i] = (table1, a)) in
  let dtable =
    tabulate t (\i ->
      2f64 * (reduce (+) 0f64 (tabulate h (\k -> c[k] * (((t1.1)[i]).0)[k])) - y[i])) in
  let t2 =
    loop (scan_: ([h]f64, *[t][h]f64)) = (table,
       tabulate t (\_ -> tabulate h (\_ -> 0f64))) for round < t do
      let l = scan_.0 in
      let kept = scan_.1 in
      let i = t - 1i64 - round in
      let dtable1 =
        tabulate h (\k ->
          (l[k] + dtable[i] * c[k]) * (1f64 - (((t1.1)[i]).0)[k] * (((t1.1)[i]).0)[k])) in
      (tabulate h (\i1 -> reduce (+) 0f64 (tabulate h (\k -> dtable1[k] * w[k, i1]))),
       kept with [i] = dtable1) in
  (tabulate h (\i ->
     tabulate h (\i1 ->
       reduce (+) 0f64 (tabulate t (\i2 -> (t2.1)[i2, i] * (((t1.1)[i2]).1)[i1])))),
   tabulate h (\i ->
     tabulate d (\i1 -> reduce (+) 0f64 (tabulate t (\i2 -> x[i2, i1] * (t2.1)[i2, i])))),
   tabulate h (\i -> reduce (+) 0f64 (tabulate t (\i1 -> dtable[i1] * (((t1.1)[i1]).0)[i]))))
