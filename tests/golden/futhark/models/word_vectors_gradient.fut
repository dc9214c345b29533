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
  let table =
    tabulate n (\i ->
      -(reduce (+) 0f64 (tabulate d (\i1 -> b[beside[i], i1] * a[middle[i], i1])))) in
  let table1 = tabulate n (\i -> f64.exp (-table[i])) in
  let table2 = tabulate n (\i -> f64.exp table[i]) in
  let table3 =
    tabulate n (\i ->
      tabulate q (\j ->
        reduce (+) 0f64 (tabulate d (\i1 -> a[middle[i], i1] * b[other[i, j], i1])))) in
  let table4 = tabulate n (\i -> tabulate q (\j -> f64.exp (-table3[i, j]))) in
  let table5 = tabulate n (\i -> tabulate q (\j -> f64.exp table3[i, j])) in
  let table6 =
    tabulate n (\i ->
      tabulate q (\j ->
        if table3[i, j] > 0f64
        then 1f64 - table4[i, j] / (1f64 + table4[i, j])
        else table5[i, j] / (1f64 + table5[i, j]))) in
  let table7 =
    tabulate n (\i ->
      if table[i] > 0f64
      then 1f64 - table1[i] / (1f64 + table1[i])
      else table2[i] / (1f64 + table2[i])) in
  let sums =
    loop (scatter_: *[v][d]f64) = tabulate v (\_ -> tabulate d (\_ -> 0f64)) for i < n do
      let place = middle[i] in
      let value =
        tabulate d (\j ->
          reduce (+) 0f64 (tabulate q (\j1 -> table6[i, j1] * b[other[i, j1], j]))) in
      if 0i64 <= place && place < v
      then scatter_ with [place] = tabulate d (\i1 -> scatter_[place, i1] + value[i1])
      else scatter_ in
  let sums1 =
    loop (scatter_: *[v][d]f64) = tabulate v (\_ -> tabulate d (\_ -> 0f64)) for i < n do
      let place = middle[i] in
      let value = tabulate d (\j -> table7[i] * b[beside[i], j]) in
      if 0i64 <= place && place < v
      then scatter_ with [place] = tabulate d (\i1 -> scatter_[place, i1] + value[i1])
      else scatter_ in
  let sums2 =
    loop (scatter_: *[v][d]f64) = tabulate v (\_ -> tabulate d (\_ -> 0f64)) for x < n_times_q do
      let place = other[i64_quotient x q, i64_remainder x q] in
      let value =
        tabulate d (\j ->
          a[middle[i64_quotient x q], j] * table6[i64_quotient x q, i64_remainder x q]) in
      if 0i64 <= place && place < v
      then scatter_ with [place] = tabulate d (\i -> scatter_[place, i] + value[i])
      else scatter_ in
  let sums3 =
    loop (scatter_: *[v][d]f64) = tabulate v (\_ -> tabulate d (\_ -> 0f64)) for i < n do
      let place = beside[i] in
      let value = tabulate d (\j -> table7[i] * a[middle[i], j]) in
      if 0i64 <= place && place < v
      then scatter_ with [place] = tabulate d (\i1 -> scatter_[place, i1] + value[i1])
      else scatter_ in
  (tabulate v (\i -> tabulate d (\j -> sums[i, j] - sums1[i, j])),
   tabulate v (\i -> tabulate d (\j -> sums2[i, j] - sums3[i, j])))
