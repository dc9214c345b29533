-- Exported by redexter.

entry gradientU [t] [d] [h]
    (x: [t][d]f64)
    (y: [t]f64)
    (w: [h][h]f64)
    (u: [h][d]f64)
    (c: [h]f64) : [h][d]f64 =
  #[unsafe]
  let table = replicate h 0f64
  let t1 =
    loop (a: [h]f64, kept: *[t][h]f64) = (table, replicate t (replicate h 0f64)) for i < t do
      let table1 =
        tabulate h (\k ->
          f64.tanh
            (f64.sum (tabulate h (\j -> a[j] * w[k, j]))
               + f64.sum (tabulate d (\j -> u[k, j] * x[i, j])))) in
      (table1, kept with [i] = table1)
  let dtable = tabulate t (\i -> 2f64 * (f64.sum (tabulate h (\k -> c[k] * (t1.1)[i, k])) - y[i]))
  let t2 =
    loop (l: [h]f64, kept: *[t][h]f64) = (table, replicate t (replicate h 0f64)) for round < t do
      let i = t - 1i64 - round
      let dtable1 =
        tabulate h (\k -> (l[k] + dtable[i] * c[k]) * (1f64 - (t1.1)[i, k] * (t1.1)[i, k])) in
      (tabulate h (\i1 -> f64.sum (tabulate h (\k -> dtable1[k] * w[k, i1]))),
       kept with [i] = dtable1) in
  tabulate h (\i -> tabulate d (\i1 -> f64.sum (tabulate t (\i2 -> x[i2, i1] * (t2.1)[i2, i]))))
