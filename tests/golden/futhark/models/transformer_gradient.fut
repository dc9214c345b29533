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
  #[unsafe]
  let table = tabulate n (\i -> f64.sum x[i] / f64.i64 d)
  let table1 = tabulate n (\i -> tabulate d (\c -> x[i, c] - table[i]))
  let table2 =
    tabulate n (\i ->
      f64.sqrt (1e-5f64 + f64.sum (tabulate d (\c -> table1[i, c] * table1[i, c])) / f64.i64 d))
  let x1 = tabulate n (\i -> tabulate d (\c -> b1[c] + g1[c] * table1[i, c] / table2[i]))
  let q = tabulate n (\i -> tabulate h (\j -> f64.sum (tabulate d (\l -> wq[l, j] * x1[i, l]))))
  let k = tabulate n (\i -> tabulate h (\j -> f64.sum (tabulate d (\l -> wk[l, j] * x1[i, l]))))
  let v = tabulate n (\i -> tabulate h (\j -> f64.sum (tabulate d (\l -> wv[l, j] * x1[i, l]))))
  let y1 = f64.sqrt (f64.i64 h)
  let table3 =
    tabulate n (\i ->
      tabulate n (\j -> f64.exp (f64.sum (tabulate h (\c -> k[j, c] * q[i, c])) / y1)))
  let table4 = tabulate n (\i -> f64.sum table3[i])
  let table5 =
    tabulate n (\i ->
      tabulate h (\c -> f64.sum (tabulate n (\j -> table3[i, j] * v[j, c])) / table4[i]))
  let a =
    tabulate n (\i ->
      tabulate d (\j -> x[i, j] + f64.sum (tabulate h (\l -> wo[l, j] * table5[i, l]))))
  let table6 = tabulate n (\i -> f64.sum a[i] / f64.i64 d)
  let table7 = tabulate n (\i -> tabulate d (\c -> a[i, c] - table6[i]))
  let table8 =
    tabulate n (\i ->
      f64.sqrt (1e-5f64 + f64.sum (tabulate d (\c -> table7[i, c] * table7[i, c])) / f64.i64 d))
  let table9 = tabulate n (\i -> tabulate d (\c -> g2[c] * table7[i, c] / table8[i]))
  let z = tabulate n (\i -> tabulate d (\c -> b2[c] + table9[i, c]))
  let table10 =
    tabulate n (\i ->
      tabulate f (\k1 -> f64.tanh (c1[k1] + f64.sum (tabulate d (\c -> z[i, c] * w1[c, k1])))))
  let table11 =
    tabulate n (\i ->
      tabulate d (\c -> a[i, c] + f64.sum (tabulate f (\l -> w2[l, c] * table10[i, l])) - y[i, c]))
  let dtable =
    tabulate n (\i ->
      tabulate f (\k1 ->
        (1f64 - table10[i, k1] * table10[i, k1])
          * f64.sum (tabulate d (\j -> table11[i, j] * w2[k1, j]))))
  let table12 =
    tabulate n (\i ->
      tabulate d (\c -> f64.sum (tabulate f (\k1 -> w1[c, k1] * dtable[i, k1])) / table8[i]))
  let table13 =
    tabulate n (\i ->
      -(f64.sum (tabulate d (\c -> table12[i, c] * table9[i, c])) / (f64.i64 d * table8[i])))
  let dtable1 =
    tabulate n (\i -> tabulate d (\c -> table13[i] * table7[i, c] + g2[c] * table12[i, c]))
  let dtable2 = tabulate n (\i -> -(f64.sum dtable1[i] / f64.i64 d))
  let ddb = tabulate n (\i -> tabulate d (\i1 -> dtable2[i] + dtable1[i, i1] + table11[i, i1]))
  let dtable3 =
    tabulate n (\i ->
      tabulate h (\c -> f64.sum (tabulate d (\j -> wo[c, j] * ddb[i, j])) / table4[i]))
  let dtable4 = tabulate n (\i -> -(f64.sum (tabulate h (\c -> dtable3[i, c] * table5[i, c]))))
  let dtable5 =
    tabulate n (\i ->
      tabulate n (\j ->
        table3[i, j] * (dtable4[i] + f64.sum (tabulate h (\c -> dtable3[i, c] * v[j, c]))) / y1))
  let ddv =
    tabulate n (\i ->
      tabulate h (\i1 -> f64.sum (tabulate n (\i2 -> table3[i2, i] * dtable3[i2, i1]))))
  let ddk =
    tabulate n (\i -> tabulate h (\i1 -> f64.sum (tabulate n (\i2 -> dtable5[i2, i] * q[i2, i1]))))
  let ddq =
    tabulate n (\i -> tabulate h (\i1 -> f64.sum (tabulate n (\j -> dtable5[i, j] * k[j, i1]))))
  let table14 = reduce (map2 (+)) (replicate h 0f64) ddv
  let table15 = reduce (map2 (+)) (replicate h 0f64) ddk
  let table16 = reduce (map2 (+)) (replicate h 0f64) ddq
  let dtable6 = reduce (map2 (+)) (replicate f 0f64) dtable in
  (tabulate d (\i ->
     f64.sum (tabulate n (\i1 ->
        table1[i1, i]
          * f64.sum (tabulate h (\j ->
             wv[i, j] * ddv[i1, j] + wk[i, j] * ddk[i1, j] + wq[i, j] * ddq[i1, j]))
          / table2[i1]))),
   tabulate d (\i ->
     f64.sum (tabulate h (\j ->
        table16[j] * wq[i, j] + table15[j] * wk[i, j] + table14[j] * wv[i, j]))),
   reduce (map2 (+)) (replicate d 0f64)
     (tabulate n (\i -> tabulate d (\i1 -> table12[i, i1] * table7[i, i1]))),
   tabulate d (\i -> f64.sum (tabulate f (\k1 -> dtable6[k1] * w1[i, k1]))),
   tabulate d (\i -> tabulate h (\i1 -> f64.sum (tabulate n (\i2 -> x1[i2, i] * ddq[i2, i1])))),
   tabulate d (\i -> tabulate h (\i1 -> f64.sum (tabulate n (\i2 -> x1[i2, i] * ddk[i2, i1])))),
   tabulate d (\i -> tabulate h (\i1 -> f64.sum (tabulate n (\i2 -> x1[i2, i] * ddv[i2, i1])))),
   tabulate h (\i -> tabulate d (\i1 -> f64.sum (tabulate n (\i2 -> ddb[i2, i1] * table5[i2, i])))),
   tabulate d (\i -> tabulate f (\i1 -> f64.sum (tabulate n (\i2 -> z[i2, i] * dtable[i2, i1])))),
   dtable6,
   tabulate f (\i ->
     tabulate d (\i1 -> f64.sum (tabulate n (\i2 -> table11[i2, i1] * table10[i2, i])))))
