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
      tabulate d (\j -> x[i, j] + reduce (+) 0f64 (tabulate h (\l -> wo[l, j] * table5[i, l])))) in
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
        a[i, c] + reduce (+) 0f64 (tabulate f (\l -> w2[l, c] * table10[i, l])) - y[i, c])) in
  let dtable =
    tabulate n (\i ->
      tabulate f (\k1 ->
        (1f64 - table10[i, k1] * table10[i, k1])
          * reduce (+) 0f64 (tabulate d (\j -> table11[i, j] * w2[k1, j])))) in
  let table12 =
    tabulate n (\i ->
      tabulate d (\c ->
        reduce (+) 0f64 (tabulate f (\k1 -> w1[c, k1] * dtable[i, k1])) / table8[i])) in
  let table13 =
    tabulate n (\i ->
      -(reduce (+) 0f64 (tabulate d (\c -> table12[i, c] * table9[i, c]))
         / (f64.i64 d * table8[i]))) in
  let dtable1 =
    tabulate n (\i -> tabulate d (\c -> table13[i] * table7[i, c] + g2[c] * table12[i, c])) in
  let dtable2 = tabulate n (\i -> -(reduce (+) 0f64 dtable1[i] / f64.i64 d)) in
  let ddb = tabulate n (\i -> tabulate d (\i1 -> dtable2[i] + dtable1[i, i1] + table11[i, i1])) in
  let dtable3 =
    tabulate n (\i ->
      tabulate h (\c -> reduce (+) 0f64 (tabulate d (\j -> wo[c, j] * ddb[i, j])) / table4[i])) in
  let dtable4 =
    tabulate n (\i -> -(reduce (+) 0f64 (tabulate h (\c -> dtable3[i, c] * table5[i, c])))) in
  let dtable5 =
    tabulate n (\i ->
      tabulate n (\j ->
        table3[i, j] * (dtable4[i] + reduce (+) 0f64 (tabulate h (\c -> dtable3[i, c] * v[j, c])))
          / y1)) in
  let ddv =
    tabulate n (\i ->
      tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> table3[i2, i] * dtable3[i2, i1])))) in
  let ddk =
    tabulate n (\i ->
      tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> dtable5[i2, i] * q[i2, i1])))) in
  let ddq =
    tabulate n (\i ->
      tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\j -> dtable5[i, j] * k[j, i1])))) in
  let table14 = tabulate h (\i -> reduce (+) 0f64 (tabulate n (\i1 -> ddv[i1, i]))) in
  let table15 = tabulate h (\i -> reduce (+) 0f64 (tabulate n (\i1 -> ddk[i1, i]))) in
  let table16 = tabulate h (\i -> reduce (+) 0f64 (tabulate n (\i1 -> ddq[i1, i]))) in
  let dtable6 = tabulate f (\i -> reduce (+) 0f64 (tabulate n (\i1 -> dtable[i1, i]))) in
  (tabulate d (\i ->
     reduce (+) 0f64 (tabulate n (\i1 ->
        table1[i1, i]
          * reduce (+) 0f64 (tabulate h (\j ->
             wv[i, j] * ddv[i1, j] + wk[i, j] * ddk[i1, j] + wq[i, j] * ddq[i1, j]))
          / table2[i1]))),
   tabulate d (\i ->
     reduce (+) 0f64 (tabulate h (\j ->
        table16[j] * wq[i, j] + table15[j] * wk[i, j] + table14[j] * wv[i, j]))),
   tabulate d (\i -> reduce (+) 0f64 (tabulate n (\i1 -> table12[i1, i] * table7[i1, i]))),
   tabulate d (\i -> reduce (+) 0f64 (tabulate f (\k1 -> dtable6[k1] * w1[i, k1]))),
   tabulate d (\i ->
     tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> x1[i2, i] * ddq[i2, i1])))),
   tabulate d (\i ->
     tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> x1[i2, i] * ddk[i2, i1])))),
   tabulate d (\i ->
     tabulate h (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> x1[i2, i] * ddv[i2, i1])))),
   tabulate h (\i ->
     tabulate d (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> ddb[i2, i1] * table5[i2, i])))),
   tabulate d (\i ->
     tabulate f (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> z[i2, i] * dtable[i2, i1])))),
   dtable6,
   tabulate f (\i ->
     tabulate d (\i1 -> reduce (+) 0f64 (tabulate n (\i2 -> table11[i2, i1] * table10[i2, i])))))
