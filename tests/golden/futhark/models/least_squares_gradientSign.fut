-- Exported by redexter.

entry gradientSign [m] (n: i64) (x: [m]f64) : [m]f64 =
  assert (n >= 2i64)
    (let t = f64.i64 n - 1f64 in
     let t1 = tabulate n (\i -> 2f64 * f64.i64 i / t - 1f64) in
     let t2 = tabulate n (\i -> tabulate m (\j -> t1[i] ** f64.i64 j)) in
     let t3 =
       tabulate n (\i ->
         2f64
           * ((if t1[i] < 0f64 then -1f64 else if !(t1[i] == 0f64) then 1f64 else 0f64)
              - reduce (+) 0f64 (tabulate m (\j -> x[j] * t2[i, j])))) in
     tabulate m (\i -> -(0.5f64 * reduce (+) 0f64 (tabulate n (\i1 -> t3[i1] * t2[i1, i])))))
