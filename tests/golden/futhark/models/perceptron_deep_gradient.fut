-- Exported by redexter.

entry gradient [n] [d] [o] [g] [h]
    (x: [n][d]f64)
    (y: [n][o]f64)
    (w1: [g][d]f64)
    (b1: [g]f64)
    (w2: [h][g]f64)
    (b2: [h]f64)
    (w3: [o][h]f64)
    (b3: [o]f64) : ([g][d]f64, ([g]f64, ([h][g]f64, ([h]f64, ([o][h]f64, [o]f64))))) =
  let t =
    tabulate n (\i ->
      tabulate g (\i1 ->
        f64.tanh (b1[i1] + reduce (+) 0f64 (tabulate d (\j -> w1[i1, j] * x[i, j]))))) in
  let t1 =
    tabulate n (\i ->
      tabulate h (\i1 ->
        f64.tanh (b2[i1] + reduce (+) 0f64 (tabulate g (\j -> t[i, j] * w2[i1, j]))))) in
  let t2 =
    tabulate n (\i ->
      tabulate o (\k ->
        b3[k] + reduce (+) 0f64 (tabulate h (\j -> w3[k, j] * t1[i, j])) - y[i, k])) in
  let t3 = tabulate n (\i -> tabulate o (\k -> 2f64 * t2[i, k])) in
  let t4 =
    tabulate h (\j ->
      tabulate n (\i ->
        (1f64 - t1[i, j] * t1[i, j]) * reduce (+) 0f64 (tabulate o (\k -> t3[i, k] * w3[k, j])))) in
  let t5 =
    tabulate g (\i ->
      tabulate n (\i1 ->
        (1f64 - t[i1, i] * t[i1, i])
          * reduce (+) 0f64 (tabulate h (\j -> t4[j, i1] * w2[j, i])))) in
  (tabulate g (\i -> tabulate d (\j -> reduce (+) 0f64 (tabulate n (\i1 -> t5[i, i1] * x[i1, j])))),
   (tabulate g (\i -> reduce (+) 0f64 t5[i]),
    (tabulate h (\i ->
       tabulate g (\j -> reduce (+) 0f64 (tabulate n (\i1 -> t4[i, i1] * t[i1, j])))),
     (tabulate h (\i -> reduce (+) 0f64 t4[i]),
      (tabulate o (\i ->
         tabulate h (\j -> reduce (+) 0f64 (tabulate n (\i1 -> t3[i1, i] * t1[i1, j])))),
       tabulate o (\i -> 2f64 * reduce (+) 0f64 (tabulate n (\i1 -> t2[i1, i]))))))))
