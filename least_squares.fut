-- Exported by redexter.

entry gradient [n] [m] (t: [n]f64) (s: [n]f64) (x: [m]f64) : [m]f64 =
  tabulate m (\i ->
    0.5f64
      * reduce (+) 0f64 (tabulate n (\i1 ->
         (s[i1] - reduce (+) 0f64 (tabulate m (\j -> x[j] * t[i1] ** f64.i64 j)))
           * (0f64 - t[i1] ** f64.i64 i + (0f64 - t[i1] ** f64.i64 i)))))
