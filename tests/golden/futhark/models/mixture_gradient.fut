-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradient [n] [d] [k]
    (x: [n][d]f64)
    (m: i64)
    (gamma: f64)
    (alpha: [k]f64)
    (mu: [k][d]f64)
    (q: [k][d]f64)
    (l: [k][d][d]f64) : ([k]f64, [k][d]f64, [k][d]f64, [k][d][d]f64) =
  if k >= 1i64
  then
    #[unsafe]
    let table = tabulate d (\i -> tabulate k (\c -> f64.exp q[c, i]))
    let logs = tabulate k (\c -> f64.sum q[c])
    let table1 = tabulate n (\i -> tabulate k (\c -> tabulate d (\j -> x[i, j] - mu[c, j])))
    let table2 =
      tabulate n (\i ->
        tabulate k (\c ->
          tabulate d (\a ->
            f64.sum (tabulate d (\b ->
               if b < a
               then table1[i, c, b] * l[c, a, b]
               else if a == b then table1[i, c, b] * table[a, c] else 0f64)))))
    let table3 =
      tabulate n (\i ->
        tabulate k (\c ->
          logs[c]
            + (alpha[c] - 0.5f64 * f64.sum (tabulate d (\a -> table2[i, c, a] * table2[i, c, a])))))
    let table4 = tabulate n (\i -> f64_argmax table3[i])
    let table5 =
      tabulate n (\i ->
        f64.floor
          (if f64.abs table3[i, table4[i]] <= 1.7976931348623157e308f64
           then table3[i, table4[i]]
           else 0f64))
    let table6 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table3[i, i1] - table5[i])))
    let table7 = tabulate n (\i -> f64.sum table6[i])
    let i = f64_argmax alpha
    let shift = f64.floor (if f64.abs alpha[i] <= 1.7976931348623157e308f64 then alpha[i] else 0f64)
    let table8 = tabulate k (\i1 -> f64.exp (alpha[i1] - shift))
    let table9 = tabulate n (\i1 -> tabulate k (\i2 -> table6[i1, i2] / table7[i1]))
    let table10 =
      let sums = reduce (map2 (+)) (replicate k 0f64) table9 in
      tabulate k (\i1 -> f64.i64 m + sums[i1])
    let table11 =
      tabulate d (\i1 ->
        tabulate k (\i2 -> tabulate n (\i3 -> table9[i3, i2] * table1[i3, i2, i1])))
    let table12 = gamma * gamma
    let table13 =
      tabulate k (\i1 ->
        tabulate d (\i2 ->
          tabulate d (\i3 ->
            (-(if i3 < i2
              then table12 * l[i1, i2, i3]
              else if i2 == i3 then table12 * table[i2, i1] else 0f64))
              - f64.sum (tabulate n (\i4 -> table11[i3, i1, i4] * table2[i4, i1, i2])))))
    let table14 =
      tabulate d (\a ->
        tabulate k (\i1 -> f64.sum (tabulate n (\i2 -> table9[i2, i1] * table2[i2, i1, a]))))
    let table15 = f64.i64 n / f64.sum table8 in
    (let sums = reduce (map2 (+)) (replicate k 0f64) table9 in
     tabulate k (\i1 -> sums[i1] - table15 * table8[i1]),
     tabulate k (\i1 ->
       tabulate d (\j ->
         f64.sum (tabulate d (\a ->
            if j < a
            then l[i1, a, j] * table14[a, i1]
            else if a == j then table[a, i1] * table14[a, i1] else 0f64)))),
     tabulate k (\i1 -> tabulate d (\j -> table10[i1] + table[j, i1] * table13[i1, j, j])),
     tabulate k (\i1 ->
       tabulate d (\j -> tabulate d (\k1 -> if k1 < j then table13[i1, j, k1] else 0f64))))
  else assert (k >= 1i64)
      ((replicate k 0f64,
        replicate k (replicate d 0f64),
        replicate k (replicate d 0f64),
        replicate k (replicate d (replicate d 0f64))))
