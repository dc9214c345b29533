-- Exported by redexter.

entry hessian [n] (v: [n]f64) : [n][n]f64 =
  let table = tabulate n (\i -> tabulate n (\j -> if i == j then 1f64 else 0f64)) in
  tabulate n (\i ->
    tabulate n (\i1 -> 2f64 * reduce (+) 0f64 (tabulate n (\i2 -> table[i1, i2] * table[i, i2]))))
