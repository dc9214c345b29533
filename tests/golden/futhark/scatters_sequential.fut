-- Exported by redexter.

entry sums [m] (at: [m]i64) (v: [m]f64) : [3]f64 =
  #[unsafe]
  loop (scatter_: *[3]f64) = replicate 3 0f64 for e < m do
    let place = at[e]
    let value = v[e] in
    if 0i64 <= place && place < 3i64
    then scatter_ with [place] = scatter_[place] + value
    else scatter_

entry pairs [m] (at: [m]i64) (v_1: [m]f64) (v_2: [m]f64) : ([3]f64, [3]f64) =
  #[unsafe]
  let v = tabulate m (\i -> (v_1[i], v_2[i]))
  let result =
    loop (scatter_: *[3](f64, f64)) = tabulate 3 (\_ -> (0f64, 0f64)) for e < m do
      let k = at[e]
      let value = ((v[e]).1, (v[e]).0) in
      if 0i64 <= k && k < 3i64
      then scatter_ with [k] = ((scatter_[k]).0 + value.0, (scatter_[k]).1 + value.1)
      else scatter_ in
  (tabulate 3 (\i -> (result[i]).0), tabulate 3 (\i -> (result[i]).1))

entry rows [m] [r] (at: [m]i64) (v: [m][r]f64) : [3][r]f64 =
  #[unsafe]
  loop (scatter_: *[3][r]f64) = replicate 3 (replicate r 0f64) for e < m do
    let place = at[e]
    let value = v[e] in
    if 0i64 <= place && place < 3i64
    then scatter_ with [place] = tabulate r (\i -> scatter_[place, i] + value[i])
    else scatter_

entry chosen [m] (at: [m]i64) (v: [m]f64) : [3]f64 =
  #[unsafe]
  loop (scatter_: *[3]f64) = replicate 3 0f64 for e < m do
    let entry_ = if v[e] > 0f64 then (at[e], v[e]) else (2i64, 1f64)
    let place = entry_.0
    let value = entry_.1 in
    if 0i64 <= place && place < 3i64
    then scatter_ with [place] = scatter_[place] + value
    else scatter_
