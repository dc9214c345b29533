-- Exported by redexter.

def i64_quotient (a: i64) (b: i64) : i64 =
  if b == 0i64 then 0i64
  else if b == (-1i64) then 0i64 - a
  else if a %% b >= 0i64 then a // b
  else if b > 0i64 then a // b - 1i64
  else a // b + 1i64

def i64_remainder (a: i64) (b: i64) : i64 =
  if b == 0i64 then a
  else if b == (-1i64) then 0i64
  else if a %% b >= 0i64 then a %% b
  else if b > 0i64 then a %% b + b
  else a %% b - b

entry gradient [n] [q] [v] [d]
    (middle: [n]i64)
    (beside: [n]i64)
    (other: [n][q]i64)
    (a: [v][d]f64)
    (b: [v][d]f64) : ([v][d]f64, [v][d]f64) =
  let n_times_q = n * q in
  if all (\x -> 0i64 <= x && x < v) middle && all (\x -> 0i64 <= x && x < v) beside
      && all (\x -> all (\x1 -> 0i64 <= x1 && x1 < v) x) other
  then
    #[unsafe]
    let table =
      tabulate n (\i -> -(f64.sum (tabulate d (\i1 -> b[beside[i], i1] * a[middle[i], i1]))))
    let table1 = tabulate n (\i -> f64.exp (-table[i]))
    let table2 = tabulate n (\i -> f64.exp table[i])
    let table3 =
      tabulate n (\i ->
        tabulate q (\j -> f64.sum (tabulate d (\i1 -> a[middle[i], i1] * b[other[i, j], i1]))))
    let table4 = tabulate n (\i -> tabulate q (\j -> f64.exp (-table3[i, j])))
    let table5 = tabulate n (\i -> tabulate q (\j -> f64.exp table3[i, j]))
    let table6 =
      tabulate n (\i ->
        tabulate q (\j ->
          if table3[i, j] > 0f64
          then 1f64 - table4[i, j] / (1f64 + table4[i, j])
          else table5[i, j] / (1f64 + table5[i, j])))
    let table7 =
      tabulate n (\i ->
        if table[i] > 0f64
        then 1f64 - table1[i] / (1f64 + table1[i])
        else table2[i] / (1f64 + table2[i]))
    let sums =
      hist (map2 (+)) (replicate d 0f64) v
        middle
        (tabulate n (\i ->
           tabulate d (\j -> f64.sum (tabulate q (\j1 -> table6[i, j1] * b[other[i, j1], j])))))
    let sums1 =
      hist (map2 (+)) (replicate d 0f64) v
        middle
        (tabulate n (\i -> tabulate d (\j -> table7[i] * b[beside[i], j])))
    let sums2 =
      hist (map2 (+)) (replicate d 0f64) v
        (tabulate n_times_q (\x -> other[i64_quotient x q, i64_remainder x q]))
        (tabulate n_times_q (\x ->
           tabulate d (\j ->
             a[middle[i64_quotient x q], j] * table6[i64_quotient x q, i64_remainder x q])))
    let sums3 =
      hist (map2 (+)) (replicate d 0f64) v
        beside
        (tabulate n (\i -> tabulate d (\j -> table7[i] * a[middle[i], j]))) in
    (tabulate v (\i -> tabulate d (\j -> sums[i, j] - sums1[i, j])),
     tabulate v (\i -> tabulate d (\j -> sums2[i, j] - sums3[i, j])))
  else assert (all (\x -> 0i64 <= x && x < v) middle && all (\x -> 0i64 <= x && x < v) beside
       && all (\x -> all (\x1 -> 0i64 <= x1 && x1 < v) x) other)
      ((replicate v (replicate d 0f64), replicate v (replicate d 0f64)))
