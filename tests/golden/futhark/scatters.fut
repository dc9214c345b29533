-- Exported by redexter.

entry sums [m] (at: [m]i64) (v: [m]f64) : [3]f64 =
  hist (+) 0f64 3 at v

entry pairs [m] (at: [m]i64) (v_1: [m]f64) (v_2: [m]f64) : ([3]f64, [3]f64) =
  #[unsafe]
  let v = tabulate m (\i -> (v_1[i], v_2[i]))
  let entries =
    unzip
      (tabulate m (\e ->
         let k = at[e] in
         (k, ((v[e]).1, (v[e]).0))))
  let result = hist (\(a1, a2) (b1, b2) -> (a1 + b1, a2 + b2)) (0f64, 0f64) 3 entries.0 entries.1 in
  (tabulate 3 (\i -> (result[i]).0), tabulate 3 (\i -> (result[i]).1))

entry rows [m] [r] (at: [m]i64) (v: [m][r]f64) : [3][r]f64 =
  hist (map2 (+)) (replicate r 0f64) 3 at v

entry chosen [m] (at: [m]i64) (v: [m]f64) : [3]f64 =
  #[unsafe]
  let entries = unzip (tabulate m (\e -> if v[e] > 0f64 then (at[e], v[e]) else (2i64, 1f64))) in
  hist (+) 0f64 3 entries.0 entries.1
