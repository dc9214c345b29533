-- Exported by redexter.

entry gradientSign [m] (n: i64) (x: [m]f64) : [m]f64 =
  assert (n >= 2i64)
    (let t =
       let t = f64.i64 n - 1f64 in
       tabulate n (\i -> 2f64 * f64.i64 i / t - 1f64) in
     let y =
       tabulate n (\i -> if t[i] < 0f64 then -1f64 else if !(t[i] == 0f64) then 1f64 else 0f64) in
     let t1 =
       tabulate n (\i -> y[i] - reduce (+) 0f64 (tabulate m (\j -> x[j] * t[i] ** f64.i64 j))) in
     tabulate m (\i -> -(reduce (+) 0f64 (tabulate n (\i1 -> t1[i1] * t[i1] ** f64.i64 i)))))
