-- Exported by redexter.

entry gradient [n] [d] [h]
    (x: [n][d]f64)
    (y: [n]f64)
    (w1: [h][d]f64)
    (b1: [h]f64)
    (w2: [h]f64)
    (b2: f64) : ([h][d]f64, ([h]f64, ([h]f64, f64))) =
  let s =
    tabulate n (\i ->
      reduce (+) 0f64 (tabulate h (\k ->
         w2[k] * f64.tanh (reduce (+) 0f64 (tabulate d (\j -> w1[k, j] * x[i, j])) + b1[k])))
        + b2
        - y[i]) in
  let s1 =
    tabulate n (\i ->
      tabulate h (\k ->
        f64.tanh (reduce (+) 0f64 (tabulate d (\j -> w1[k, j] * x[i, j])) + b1[k]))) in
  (let t = tabulate n (\i -> tabulate d (\j -> s[i] * x[i, j])) in
   tabulate h (\i ->
     let t1 = tabulate n (\i1 -> w2[i] * (1f64 - s1[i1, i] * s1[i1, i])) in
     tabulate d (\j -> 2f64 * reduce (+) 0f64 (tabulate n (\i1 -> t1[i1] * t[i1, j])))),
   (tabulate h (\i ->
      2f64
        * reduce (+) 0f64 (tabulate n (\i1 -> s[i1] * (w2[i] * (1f64 - s1[i1, i] * s1[i1, i]))))),
    (let t = tabulate n (\i -> reduce (+) 0f64 (tabulate h (\k -> w2[k] * s1[i, k])) + b2 - y[i]) in
     tabulate h (\i -> 2f64 * reduce (+) 0f64 (tabulate n (\i1 -> t[i1] * s1[i1, i]))),
     2f64 * reduce (+) 0f64 s)))
