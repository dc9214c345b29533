-- Exported by redexter.

entry gradient [n] [d] [h] [f]
    (x: [n][d]f64)
    (y: [n][d]f64)
    (g1: [d]f64)
    (b1: [d]f64)
    (g2: [d]f64)
    (b2: [d]f64)
    (wq: [d][h]f64)
    (wk: [d][h]f64)
    (wv: [d][h]f64)
    (wo: [h][d]f64)
    (w1: [d][f]f64)
    (c1: [f]f64)
    (w2: [f][d]f64) : ([d]f64, [d]f64, [d]f64, [d]f64, [d][h]f64, [d][h]f64, [d][h]f64, [h][d]f64, [d][f]f64, [f]f64, [f][d]f64) =
  let table = tabulate n (\i -> reduce (+) 0f64 x[i] / f64.i64 d) in
  let table1 = tabulate n (\i -> tabulate d (\c -> x[i, c] - table[i])) in
  let table2 =
    tabulate n (\i ->
      f64.sqrt
        (1e-5f64 + reduce (+) 0f64 (tabulate d (\c -> table1[i, c] * table1[i, c])) / f64.i64 d)) in
  let x1 = tabulate n (\i -> tabulate d (\c -> b1[c] + g1[c] * table1[i, c] / table2[i])) in
  let q =
    tabulate n (\i ->
      tabulate h (\j -> reduce (+) 0f64 (tabulate d (\l -> wq[l, j] * x1[i, l])))) in
  let k =
    tabulate n (\i ->
      tabulate h (\j -> reduce (+) 0f64 (tabulate d (\l -> wk[l, j] * x1[i, l])))) in
  let v =
    tabulate n (\i ->
      tabulate h (\j -> reduce (+) 0f64 (tabulate d (\l -> wv[l, j] * x1[i, l])))) in
  let y1 = f64.sqrt (f64.i64 h) in
  let table3 =
    tabulate n (\i ->
      tabulate n (\j -> f64.exp (reduce (+) 0f64 (tabulate h (\c -> k[j, c] * q[i, c])) / y1))) in
  let table4 = tabulate n (\i -> reduce (+) 0f64 table3[i]) in
  let table5 =
    tabulate n (\i ->
      tabulate h (\c -> reduce (+) 0f64 (tabulate n (\j -> table3[i, j] * v[j, c])) / table4[i])) in
  let a =
    tabulate n (\i ->
      tabulate d (\j -> reduce (+) 0f64 (tabulate h (\l -> wo[l, j] * table5[i, l])) + x[i, j])) in
  let table6 = tabulate n (\i -> reduce (+) 0f64 a[i] / f64.i64 d) in
  let table7 = tabulate n (\i -> tabulate d (\c -> a[i, c] - table6[i])) in
  let table8 =
    tabulate n (\i ->
      f64.sqrt
        (1e-5f64 + reduce (+) 0f64 (tabulate d (\c -> table7[i, c] * table7[i, c])) / f64.i64 d)) in
  let table9 = tabulate n (\i -> tabulate d (\c -> g2[c] * table7[i, c] / table8[i])) in
  let z = tabulate n (\i -> tabulate d (\c -> b2[c] + table9[i, c])) in
  let table10 =
    tabulate n (\i ->
      tabulate f (\k1 ->
        f64.tanh (c1[k1] + reduce (+) 0f64 (tabulate d (\c -> z[i, c] * w1[c, k1]))))) in
  let table11 =
    tabulate n (\i ->
      tabulate d (\c ->
        reduce (+) 0f64 (tabulate f (\l -> w2[l, c] * table10[i, l])) + a[i, c] - y[i, c])) in
  let table12 =
    tabulate f (\i ->
      tabulate n (\i1 ->
        reduce (+) 0f64 (tabulate d (\i2 -> table11[i1, i2] * w2[i, i2]))
          * (1f64 - table10[i1, i] * table10[i1, i]))) in
  let table13 =
    tabulate n (\i ->
      tabulate d (\i1 -> reduce (+) 0f64 (tabulate f (\i2 -> table12[i2, i] * w1[i1, i2])))) in
  let table14 = tabulate n (\i -> 2f64 * reduce (+) 0f64 table7[i] / f64.i64 d) in
  let table15 = tabulate d (\i -> tabulate n (\i1 -> table13[i1, i] / f64.i64 d)) in
  let table16 = tabulate d (\i -> -g2[i]) in
  let table17 =
    tabulate n (\i ->
      reduce (+) 0f64 (tabulate d (\i1 -> table15[i1, i] * (table9[i, i1] / table8[i])))) in
  let table18 =
    tabulate n (\i -> reduce (+) 0f64 (tabulate d (\i1 -> table15[i1, i] * table16[i1]))) in
  let table19 =
    tabulate n (\i ->
      tabulate d (\i1 ->
        table11[i, i1]
          + (g2[i1] * table13[i, i1]
             + (table18[i] - 0.5f64 * (2f64 * table7[i, i1] - table14[i]) * table17[i]))
            / table8[i])) in
  let table20 =
    tabulate n (\i ->
      tabulate h (\i1 -> reduce (+) 0f64 (tabulate d (\i2 -> wo[i1, i2] * table19[i, i2])))) in
  let table21 = tabulate h (\i -> tabulate n (\i1 -> table20[i1, i] / table4[i1])) in
  let table22 =
    tabulate n (\i ->
      tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> table21[i1, i2] * table3[i2, i])))) in
  let table23 =
    tabulate n (\i ->
      tabulate n (\i1 ->
        reduce (+) 0f64 (tabulate h (\i2 -> table20[i, i2] * (v[i1, i2] - table5[i, i2])))
          / table4[i]
          * table3[i, i1])) in
  let table24 =
    tabulate n (\i ->
      tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> table23[i2, i] * q[i2, i1])) / y1)) in
  let table25 =
    tabulate n (\i ->
      tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> table23[i, i2] * k[i2, i1])) / y1)) in
  let table26 = tabulate f (\i -> reduce (+) 0f64 table12[i]) in
  let table27 = tabulate h (\i -> reduce (+) 0f64 (tabulate n (\i1 -> table22[i1, i]))) in
  let table28 = tabulate h (\i -> reduce (+) 0f64 (tabulate n (\i1 -> table24[i1, i]))) in
  let table29 = tabulate h (\i -> reduce (+) 0f64 (tabulate n (\i1 -> table25[i1, i]))) in
  (tabulate d (\i ->
     reduce (+) 0f64 (tabulate n (\i1 ->
        reduce (+) 0f64 (tabulate h (\i2 ->
           wv[i, i2] * table22[i1, i2] + wk[i, i2] * table24[i1, i2] + wq[i, i2] * table25[i1, i2]))
          * table1[i1, i]
          / table2[i1]))),
   tabulate d (\i ->
     reduce (+) 0f64 (tabulate h (\i1 ->
        wv[i, i1] * table27[i1] + wk[i, i1] * table28[i1] + wq[i, i1] * table29[i1]))),
   tabulate d (\i ->
     reduce (+) 0f64 (tabulate n (\i1 -> table13[i1, i] * table7[i1, i] / table8[i1]))),
   tabulate d (\i -> reduce (+) 0f64 (tabulate f (\i1 -> w1[i, i1] * table26[i1]))),
   tabulate d (\i ->
     tabulate h (\j -> reduce (+) 0f64 (tabulate n (\i1 -> x1[i1, i] * table25[i1, j])))),
   tabulate d (\i ->
     tabulate h (\j -> reduce (+) 0f64 (tabulate n (\i1 -> x1[i1, i] * table24[i1, j])))),
   tabulate d (\i ->
     tabulate h (\j -> reduce (+) 0f64 (tabulate n (\i1 -> x1[i1, i] * table22[i1, j])))),
   tabulate h (\i ->
     tabulate d (\j -> reduce (+) 0f64 (tabulate n (\i1 -> table19[i1, j] * table5[i1, i])))),
   tabulate d (\i ->
     tabulate f (\j -> reduce (+) 0f64 (tabulate n (\i1 -> table12[j, i1] * z[i1, i])))),
   table26,
   tabulate f (\i ->
     tabulate d (\j -> reduce (+) 0f64 (tabulate n (\i1 -> table11[i1, j] * table10[i1, i])))))
