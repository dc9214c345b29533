-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradientL [n] [d] [k]
    (x: [n][d]f64)
    (_: i64)
    (gamma: f64)
    (alpha: [k]f64)
    (mu: [k][d]f64)
    (q: [k][d]f64)
    (l: [k][d][d]f64) : [k][d][d]f64 =
  if k >= 1i64
  then
    #[unsafe]
    let factor =
      tabulate k (\c ->
        tabulate d (\i ->
          tabulate d (\j ->
            if j < i then l[c, i, j] else if i == j then f64.exp q[c, i] else 0f64)))
    let logs = tabulate k (\c -> f64.sum q[c])
    let table = tabulate n (\i -> tabulate k (\c -> tabulate d (\j -> x[i, j] - mu[c, j])))
    let table1 =
      tabulate n (\i ->
        tabulate k (\c ->
          tabulate d (\a -> f64.sum (tabulate d (\b -> table[i, c, b] * factor[c, a, b])))))
    let table2 =
      tabulate n (\i ->
        tabulate k (\c ->
          logs[c]
            + (alpha[c] - 0.5f64 * f64.sum (tabulate d (\a -> table1[i, c, a] * table1[i, c, a])))))
    let table3 = tabulate n (\i -> f64_argmax table2[i])
    let table4 =
      tabulate n (\i ->
        f64.floor
          (if f64.abs table2[i, table3[i]] <= 1.7976931348623157e308f64
           then table2[i, table3[i]]
           else 0f64))
    let table5 = tabulate n (\i -> tabulate k (\i1 -> f64.exp (table2[i, i1] - table4[i])))
    let table6 = tabulate n (\i -> f64.sum table5[i])
    let table7 = tabulate n (\i -> tabulate k (\i1 -> table5[i, i1] / table6[i]))
    let x1 = 0.5f64 * gamma * gamma in
    tabulate k (\i ->
      tabulate d (\j ->
        tabulate d (\k1 ->
          if k1 < j
          then (-(2f64 * x1 * factor[i, j, k1]))
              - f64.sum (tabulate n (\i1 -> table7[i1, i] * table1[i1, i, j] * table[i1, i, k1]))
          else 0f64)))
  else assert (k >= 1i64)
      (replicate k (replicate d (replicate d 0f64)))
