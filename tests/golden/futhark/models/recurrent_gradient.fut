-- Exported by redexter.

entry gradient [t] [h] (x: [t][h]f64) (y: [h]f64) (w: [h][h]f64) : [h][h]f64 =
  let t1 =
    loop (scan_: ([h]f64, *[t]([h]f64, [h]f64))) = (tabulate h (\_ -> 0f64),
       tabulate t (\_ -> (tabulate h (\_ -> 0f64), tabulate h (\_ -> 0f64)))) for i < t do
      let a = scan_.0 in
      let kept = scan_.1 in
      let table =
        tabulate h (\k ->
          f64.tanh (x[i, k] + reduce (+) 0f64 (tabulate h (\j -> a[j] * w[k, j])))) in
      (table, kept with [i] = (a, table)) in
  let t2 =
    loop (scan_: ([h]f64, *[t][h]f64)) = (tabulate h (\k -> 2f64 * ((t1.0)[k] - y[k])),
       tabulate t (\_ -> tabulate h (\_ -> 0f64))) for round < t do
      let l = scan_.0 in
      let kept = scan_.1 in
      let i = t - 1i64 - round in
      let dtable = tabulate h (\k -> l[k] * (1f64 - (((t1.1)[i]).1)[k] * (((t1.1)[i]).1)[k])) in
      (tabulate h (\i1 -> reduce (+) 0f64 (tabulate h (\k -> dtable[k] * w[k, i1]))),
       kept with [i] = dtable) in
  tabulate h (\i ->
    tabulate h (\i1 -> reduce (+) 0f64 (tabulate t (\i2 -> (t2.1)[i2, i] * (((t1.1)[i2]).0)[i1]))))
