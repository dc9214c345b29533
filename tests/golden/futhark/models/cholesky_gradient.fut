-- Exported by redexter.

entry gradient [n] (a: [n][n]f64) : [n][n]f64 =
  #[unsafe]
  let t =
    loop (a1: [n][n]f64, kept: *[n](f64, [n]f64)) = (a,
       tabulate n (\_ -> (0f64, replicate n 0f64))) for j < n do
      let r = f64.sqrt a1[j, j]
      let table = tabulate n (\i -> a1[i, j] / r) in
      (tabulate n (\i -> tabulate n (\k -> a1[i, k] - table[k] * table[i])),
       kept with [j] = (r, table))
  let table = tabulate n (\j -> 2f64 * ((t.1)[j]).0) in
  loop (l: [n][n]f64) = replicate n (replicate n 0f64) for j < n do
    let dtable = tabulate n (\i -> tabulate n (\k -> -l[i, k]))
    let table1 =
      tabulate n (\i ->
        f64.sum (tabulate n (\i1 ->
           dtable[i1, i] * (((t.1)[n - 1i64 - j]).1)[i1]
             + dtable[i, i1] * (((t.1)[n - 1i64 - j]).1)[i1]))
          / ((t.1)[n - 1i64 - j]).0)
    let x =
      (2f64 / ((t.1)[n - 1i64 - j]).0
         - f64.sum (tabulate n (\i -> table1[i] * (((t.1)[n - 1i64 - j]).1)[i])))
        / table[n - 1i64 - j]
    let x1 =
      tabulate n (\i ->
        tabulate n (\i1 -> if i1 == n - 1i64 - j then l[i, i1] + table1[i] else l[i, i1])) in
    tabulate n (\i ->
      tabulate n (\i1 ->
        if i * n + i1 == (n - 1i64 - j) * n + (n - 1i64 - j) then x + x1[i, i1] else x1[i, i1]))
