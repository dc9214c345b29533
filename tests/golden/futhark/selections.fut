-- Exported by redexter.

entry of_indices [m] [n] (at: [m]i64) (v: [m][n]f64) : [n]f64 =
  if all (\x -> 0i64 <= x && x < n) at
  then
    #[unsafe]
    hist (+) 0f64 n at (tabulate m (\i -> v[i, at[i]]))
  else assert (all (\x -> 0i64 <= x && x < n) at)
      (replicate n 0f64)

entry of_numbers [m] [n] (at: [m]i64) (v: [m][n]f64) : [n]f64 =
  #[unsafe]
  let entries =
    unzip
      (tabulate m (\i ->
         let place = at[i] in
         (place, if 0i64 <= place && place < n then -v[i, place] else 0f64))) in
  hist (+) 0f64 n entries.0 entries.1

entry of_rows [m] [n] (at: [m]i64) (v: [m][n]f64) : [n][n]f64 =
  if all (\x -> 0i64 <= x && x < n) at
  then
    #[unsafe]
    let sums =
      hist (map2 (+)) (replicate n 0f64) n
        at
        (tabulate m (\i ->
           tabulate n (\i1 ->
             let x = v[i, i1] in
             x * v[i, at[i]]))) in
    tabulate n (\i -> tabulate n (\i1 -> sums[i, i1] * 2f64))
  else assert (all (\x -> 0i64 <= x && x < n) at)
      (replicate n (replicate n 0f64))

entry in_a_loop [m] [n] (at: [m]i64) (v: [m][n]f64) : [n]f64 =
  if all (\x -> 0i64 <= x && x < n) at
  then
    #[unsafe]
    tabulate n (\i ->
      loop acc = 1f64 for i1 < m do
        f64.sum (tabulate m (\i2 -> if at[i2] == i then acc * v[i1, i] else 0f64)))
  else assert (all (\x -> 0i64 <= x && x < n) at)
      (replicate n 0f64)
