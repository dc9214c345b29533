-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradient [k] [size]
    (t: i64)
    (labels: [size]i64)
    (moves: [k][k]f64)
    (emissions: [size][k]f64) : ([k][k]f64, [][k]f64) =
  let t_plus_1 = t + 1i64
  let k_times_k = k * k
  let labels = labels :> [t_plus_1]i64
  let emissions = emissions :> [t_plus_1][k]f64 in
  if t >= 0i64 && k >= 1i64 && all (\x -> 0i64 <= x && x < k) labels
  then
    #[unsafe]
    let t1 =
      loop (a: [k]f64, kept: *[t]([k][k]f64, [k]f64)) = (emissions[0i64],
         tabulate t (\_ -> (replicate k (replicate k 0f64), replicate k 0f64))) for i < t do
        let table = tabulate k (\s -> tabulate k (\r -> a[r] + moves[r, s]))
        let table1 = tabulate k (\s -> f64_argmax table[s])
        let table2 =
          tabulate k (\s ->
            f64.floor
              (if f64.abs table[s, table1[s]] <= 1.7976931348623157e308f64
               then table[s, table1[s]]
               else 0f64))
        let table3 = tabulate k (\s -> tabulate k (\i1 -> f64.exp (table[s, i1] - table2[s])))
        let table4 = tabulate k (\s -> f64.sum table3[s]) in
        (tabulate k (\s -> table2[s] + f64.log table4[s] + emissions[i + 1i64, s]),
         kept with [i] = (table3, table4))
    let i = f64_argmax t1.0
    let shift =
      f64.floor (if f64.abs (t1.0)[i] <= 1.7976931348623157e308f64 then (t1.0)[i] else 0f64)
    let table = tabulate k (\i1 -> f64.exp ((t1.0)[i1] - shift))
    let ddx = 1f64 / f64.sum table
    let t2 =
      loop (l: ([k]f64, [k][k]f64), kept: *[t][k]f64) = ((tabulate k (\i1 -> ddx * table[i1]),
          replicate k (replicate k 0f64)),
         replicate t (replicate k 0f64)) for round < t do
        let i1 = t - 1i64 - round
        let dtable = tabulate k (\s -> (l.0)[s] / (((t1.1)[i1]).1)[s]) in
        ((tabulate k (\i2 -> f64.sum (tabulate k (\s1 -> dtable[s1] * (((t1.1)[i1]).0)[s1, i2]))),
          tabulate k (\j ->
            tabulate k (\j1 -> (l.1)[j, j1] + dtable[j] * (((t1.1)[i1]).0)[j, j1]))),
         kept with [i1] = l.0)
    let table1 = replicate k 0f64
    let x =
      tabulate t_plus_1 (\i1 ->
        let i2 = i1 - 1i64 in
        if 0i64 <= i2 && i2 < t then (t2.1)[i2] else table1)
    let t3 =
      hist (+) 0f64 k_times_k
        (tabulate t (\i1 -> labels[i1] * k + labels[i1 + 1i64]))
        (replicate t (-1f64))
    let table2 =
      tabulate t_plus_1 (\i1 ->
        if i1 == 0i64 then tabulate k (\i2 -> ((t2.0).0)[i2] + x[i1, i2]) else x[i1]) in
    (tabulate k (\i1 -> tabulate k (\i2 -> t3[i1 * k + i2] + ((t2.0).1)[i2, i1])),
     tabulate t_plus_1 (\i1 ->
       tabulate k (\i2 -> if i2 == labels[i1] then table2[i1, i2] - 1f64 else table2[i1, i2])))
  else assert (t >= 0i64 && k >= 1i64 && all (\x -> 0i64 <= x && x < k) labels)
      ((replicate k (replicate k 0f64), replicate t_plus_1 (replicate k 0f64)))
