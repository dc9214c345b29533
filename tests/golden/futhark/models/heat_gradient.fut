-- Exported by redexter.

entry gradient [s] [n]
    (left: [s]f64)
    (seen: [n]f64)
    (start: [n]f64)
    (conductivity: [n]f64) : ([n]f64, [n]f64) =
  let t =
    loop (scan_: ([n]f64, *[s][n]f64)) = (start,
       tabulate s (\_ -> tabulate n (\_ -> 0f64))) for step < s do
      let a = scan_.0 in
      let kept = scan_.1 in
      let table =
        tabulate n (\i ->
          (let k = i + 1i64 in
           if 0i64 <= k && k < n then a[k] else 0f64)
            + ((let k = i - 1i64 in
              if 0i64 <= k && k < n then a[k] else left[step])
               - 2f64 * a[i])) in
      (tabulate n (\i -> table[i] * conductivity[i] + a[i]), kept with [step] = table) in
  let t1 =
    loop (scan_: ([n]f64, *[s][n]f64)) = (tabulate n (\i -> 2f64 * ((t.0)[i] - seen[i])),
       tabulate s (\_ -> tabulate n (\_ -> 0f64))) for round < s do
      let l = scan_.0 in
      let kept = scan_.1 in
      let step = s - 1i64 - round in
      let dtable = tabulate n (\i -> l[i] * conductivity[i]) in
      (tabulate n (\i ->
         (let i1 = i + 1i64 in
          if 0i64 <= i1 && i1 < n
          then
            let k = i1 - 1i64 in
            if 0i64 <= k && k < n then dtable[i1] else 0f64
          else 0f64)
           + (2f64 * (-dtable[i])
              + ((let i1 = i - 1i64 in
                if 0i64 <= i1 && i1 < n
                then
                  let k = i1 + 1i64 in
                  if 0i64 <= k && k < n then dtable[i1] else 0f64
                else 0f64)
                 + l[i]))),
       kept with [step] = l) in
  (t1.0,
   tabulate n (\i -> reduce (+) 0f64 (tabulate s (\step -> (t1.1)[step, i] * (t.1)[step, i]))))
