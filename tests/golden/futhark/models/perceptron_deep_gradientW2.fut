-- Exported by redexter.

entry gradientW2 [n] [d] [o] [g] [h]
    (x: [n][d]f64)
    (y: [n][o]f64)
    (w1: [g][d]f64)
    (b1: [g]f64)
    (w2: [h][g]f64)
    (x1: [h]f64)
    (x2: [o][h]f64)
    (x3: [o]f64) : [h][g]f64 =
  let t =
    tabulate n (\i ->
      tabulate g (\i1 ->
        f64.tanh (reduce (+) 0f64 (tabulate d (\j -> w1[i1, j] * x[i, j])) + b1[i1]))) in
  let t1 =
    tabulate n (\i ->
      tabulate h (\i1 ->
        f64.tanh (reduce (+) 0f64 (tabulate g (\j -> w2[i1, j] * t[i, j])) + x1[i1]))) in
  let t2 =
    tabulate n (\i ->
      tabulate o (\k ->
        reduce (+) 0f64 (tabulate h (\j -> x2[k, j] * t1[i, j])) + x3[k] - y[i, k])) in
  let t3 = tabulate n (\i -> tabulate o (\k -> tabulate g (\j -> t2[i, k] * t[i, j]))) in
  tabulate h (\i ->
    let t4 =
      let t4 = tabulate n (\i1 -> 1f64 - t1[i1, i] * t1[i1, i]) in
      tabulate o (\k -> tabulate n (\i1 -> x2[k, i] * t4[i1])) in
    tabulate g (\j ->
      2f64
        * reduce (+) 0f64 (tabulate n (\i1 ->
           reduce (+) 0f64 (tabulate o (\k -> t4[k, i1] * t3[i1, k, j]))))))
