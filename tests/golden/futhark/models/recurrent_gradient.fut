-- Exported by redexter.

entry gradient [t] [h] (x: [t][h]f64) (y: [h]f64) (w: [h][h]f64) : [h][h]f64 =
  #[unsafe]
  let t1 =
    loop (a: [h]f64, kept: *[t]([h]f64, [h]f64)) = (replicate h 0f64,
       tabulate t (\_ -> (replicate h 0f64, replicate h 0f64))) for i < t do
      let table =
        tabulate h (\k -> f64.tanh (x[i, k] + f64.sum (tabulate h (\j -> a[j] * w[k, j])))) in
      (table, kept with [i] = (a, table))
  let t2 =
    loop (l: [h]f64, kept: *[t][h]f64) = (tabulate h (\k -> 2f64 * ((t1.0)[k] - y[k])),
       replicate t (replicate h 0f64)) for round < t do
      let i = t - 1i64 - round
      let dtable = tabulate h (\k -> l[k] * (1f64 - (((t1.1)[i]).1)[k] * (((t1.1)[i]).1)[k])) in
      (tabulate h (\i1 -> f64.sum (tabulate h (\k -> dtable[k] * w[k, i1]))),
       kept with [i] = dtable) in
  tabulate h (\i ->
    tabulate h (\i1 -> f64.sum (tabulate t (\i2 -> (t2.1)[i2, i] * (((t1.1)[i2]).0)[i1]))))
