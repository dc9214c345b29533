-- Exported by redexter.

entry gradientW1 [n] [d] [o] [g] [h]
    (x: [n][d]f64)
    (y: [n][o]f64)
    (w1: [g][d]f64)
    (b1: [g]f64)
    (w2: [h][g]f64)
    (x1: [h]f64)
    (x2: [o][h]f64)
    (x3: [o]f64) : [g][d]f64 =
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
  let t3 =
    tabulate n (\i ->
      tabulate h (\j ->
        let t3 =
          (1f64 - t1[i, j] * t1[i, j]) * reduce (+) 0f64 (tabulate o (\k -> t2[i, k] * x2[k, j])) in
        tabulate d (\j1 -> t3 * x[i, j1]))) in
  tabulate g (\i ->
    let t4 =
      let t4 = tabulate n (\i1 -> 1f64 - t[i1, i] * t[i1, i]) in
      tabulate h (\j -> tabulate n (\i1 -> w2[j, i] * t4[i1])) in
    tabulate d (\j ->
      reduce (+) 0f64 (tabulate n (\i1 ->
         reduce (+) 0f64 (tabulate h (\j1 ->
            let s = t4[j1, i1] * t3[i1, j1, j] in
            s + s))))))
