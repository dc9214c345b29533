-- Exported by redexter.

entry gradient [s] [n]
    (left: [s]f64)
    (seen: [n]f64)
    (start: [n]f64)
    (conductivity: [n]f64) : ([n]f64, [n]f64) =
  #[unsafe]
  let t =
    loop (a: [n]f64, kept: *[s][n]f64) = (start, replicate s (replicate n 0f64)) for step < s do
      let table =
        tabulate n (\i ->
          (let k = i + 1i64 in
           if 0i64 <= k && k < n then a[k] else 0f64)
            + (let k = i - 1i64 in
             if 0i64 <= k && k < n then a[k] else left[step])
            - 2f64 * a[i]) in
      (tabulate n (\i -> a[i] + table[i] * conductivity[i]), kept with [step] = table)
  let t1 =
    loop (l: ([n]f64, [n]f64)) = (tabulate n (\i -> 2f64 * ((t.0)[i] - seen[i])),
       replicate n 0f64) for step < s do
      let dtable = tabulate n (\i -> (l.0)[i] * conductivity[i]) in
      (tabulate n (\i ->
         (l.0)[i]
           + (let i1 = i + 1i64 in
            if 0i64 <= i1 && i1 < n then dtable[i1] else 0f64)
           + (let i1 = i - 1i64 in
            if 0i64 <= i1 && i1 < n then dtable[i1] else 0f64)
           - 2f64 * dtable[i]),
       tabulate n (\j -> (l.1)[j] + (l.0)[j] * (t.1)[s - 1i64 - step, j])) in
  t1
