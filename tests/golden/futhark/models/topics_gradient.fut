-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradient [n] [m] [k] [v]
    (document: [n]i64)
    (word: [n]i64)
    (mixes: [m][k]f64)
    (topics: [k][v]f64) : ([m][k]f64, [k][v]f64) =
  if v >= 1i64 && k >= 1i64 && all (\x -> 0i64 <= x && x < m) document
      && all (\x -> 0i64 <= x && x < v) word
  then
    #[unsafe]
    let table = tabulate m (\d -> f64_argmax mixes[d])
    let table1 =
      tabulate m (\d ->
        f64.floor
          (if f64.abs mixes[d, table[d]] <= 1.7976931348623157e308f64
           then mixes[d, table[d]]
           else 0f64))
    let table2 = tabulate m (\d -> tabulate k (\i -> mixes[d, i] - table1[d]))
    let table3 = tabulate m (\d -> tabulate k (\i -> f64.exp table2[d, i]))
    let table4 = tabulate m (\d -> f64.sum table3[d])
    let table5 = tabulate m (\d -> f64.log table4[d])
    let p = tabulate m (\d -> tabulate k (\i -> table2[d, i] - table5[d]))
    let table6 = tabulate k (\c -> topics[c, f64_argmax topics[c]])
    let table7 =
      tabulate k (\c ->
        f64.floor (if f64.abs table6[c] <= 1.7976931348623157e308f64 then table6[c] else 0f64))
    let table8 =
      tabulate k (\c -> f64.log (f64.sum (tabulate v (\i -> f64.exp (topics[c, i] - table7[c])))))
    let q = tabulate k (\c -> tabulate v (\i -> topics[c, i] - table8[c] - table7[c]))
    let table9 = tabulate n (\i -> tabulate k (\c -> q[c, word[i]] + p[document[i], c]))
    let table10 = tabulate n (\i -> f64_argmax table9[i])
    let table11 =
      tabulate n (\i ->
        f64.floor
          (if f64.abs table9[i, table10[i]] <= 1.7976931348623157e308f64
           then table9[i, table10[i]]
           else 0f64))
    let table12 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table9[i, i1] - table11[i])))
    let table13 = tabulate n (\i -> f64.sum table12[i])
    let table14 = tabulate k (\c -> f64_argmax topics[c])
    let table15 =
      tabulate k (\c ->
        f64.floor
          (if f64.abs topics[c, table14[c]] <= 1.7976931348623157e308f64
           then topics[c, table14[c]]
           else 0f64))
    let table16 = tabulate k (\c -> tabulate v (\i -> topics[c, i] - table15[c]))
    let table17 = tabulate k (\c -> tabulate v (\i -> f64.exp table16[c, i]))
    let table18 = tabulate k (\c -> f64.sum table17[c])
    let table19 = tabulate k (\c -> f64.log table18[c])
    let q1 = tabulate k (\c -> tabulate v (\i -> table16[c, i] - table19[c]))
    let table20 = tabulate n (\i -> tabulate k (\c -> q1[c, word[i]] + p[document[i], c]))
    let table21 = tabulate n (\i -> f64_argmax table20[i])
    let table22 =
      tabulate n (\i ->
        f64.floor
          (if f64.abs table20[i, table21[i]] <= 1.7976931348623157e308f64
           then table20[i, table21[i]]
           else 0f64))
    let table23 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table20[i, i1] - table22[i])))
    let table24 = tabulate n (\i -> f64.sum table23[i])
    let table25 =
      let sums =
        reduce (map2 (+)) (replicate k 0f64)
          (tabulate n (\i -> tabulate k (\i1 -> table23[i, i1] / table24[i]))) in
      tabulate k (\i -> sums[i] / table18[i])
    let sums =
      hist (map2 (+)) (replicate k 0f64) m
        document
        (tabulate n (\i -> tabulate k (\j -> table3[document[i], j] / table4[document[i]])))
    let sums1 =
      hist (map2 (+)) (replicate k 0f64) m
        document
        (tabulate n (\i -> tabulate k (\j -> table12[i, j] / table13[i]))) in
    (tabulate m (\i -> tabulate k (\j -> sums[i, j] - sums1[i, j])),
     tabulate k (\i ->
       let sums2 = hist (+) 0f64 v word (tabulate n (\i1 -> table23[i1, i] / table24[i1])) in
       tabulate v (\j -> table25[i] * table17[i, j] - sums2[j])))
  else assert (v >= 1i64 && k >= 1i64 && all (\x -> 0i64 <= x && x < m) document
       && all (\x -> 0i64 <= x && x < v) word)
      ((replicate m (replicate k 0f64), replicate k (replicate v 0f64)))
