-- Exported by redexter.

entry gradient [n] [d] (x: [n][d]f64) (y: [n]f64) (a: f64) (b: f64) (w: [d]f64) : [d]f64 =
  let table = tabulate n (\i -> f64.exp (reduce (+) 0f64 (tabulate d (\j -> w[j] * x[i, j])))) in
  let table1 = tabulate n (\i -> table[i] / (1f64 + table[i]) - y[i]) in
  let table2 = 2f64 * b in
  tabulate d (\i ->
    let s = i64.bool (w[i] < 0f64) in
    (if !(s != 0i64) then table2 * w[i] + a else table2 * w[i])
      + reduce (+) 0f64 (tabulate n (\i1 -> table1[i1] * x[i1, i]))
      - (if s != 0i64 then a else 0f64))
