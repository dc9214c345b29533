-- Exported by redexter.

entry gradient [n] [m] (t: [n]f64) (s: [n]f64) (x: [m]f64) : [m]f64 =
  let t1 =
    tabulate n (\i -> s[i] - reduce (+) 0f64 (tabulate m (\j -> x[j] * t[i] ** f64.i64 j))) in
  tabulate m (\i -> -(reduce (+) 0f64 (tabulate n (\i1 -> t1[i1] * t[i1] ** f64.i64 i))))
