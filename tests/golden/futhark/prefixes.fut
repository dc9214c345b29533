-- Exported by redexter.

entry behind [n] (v: [n]f64) : (f64, [n]f64) =
  (f64.sum v, scan (+) 0f64 v)

entry behind_from [n] (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  (2f64 + f64.sum v, scan (+) 0f64 (tabulate n (\i -> if i == 0i64 then 2f64 + v[i] else v[i])))

entry behind_backwards [n] (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  ((-1f64) + f64.sum v,
   reverse
     (scan (+) 0f64
        (tabulate n (\i -> if i == 0i64 then (-1f64) + v[n - 1i64 - i] else v[n - 1i64 - i]))))

entry before [n] (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  (f64.product v, scan (*) 1f64 (tabulate n (\i -> if i == 0i64 then 1f64 else v[i - 1i64])))

entry before_from [n] (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  (0.5f64 * f64.product v,
   scan (*) 1f64 (tabulate n (\i -> if i == 0i64 then 0.5f64 else v[i - 1i64])))

entry before_backwards [n] (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  (3f64 * f64.product v,
   reverse (scan (*) 1f64 (tabulate n (\i -> if i == 0i64 then 3f64 else v[n - i]))))

entry largest [n] (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  (f64.max
     0.25f64
     (reduce f64.max f64.nan
        (tabulate n (\i ->
           let x = v[i] in
           x * x))),
   reverse
     (scan f64.max f64.nan
        (tabulate n (\i ->
           if i == 0i64
           then f64.max
               0.25f64
               (let x = v[n - 1i64 - i] in
                x * x)
           else
             let x = v[n - 1i64 - i] in
             x * x))))
