-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradient [t] [k] [m]
    (seen: [t]i64)
    (start: [k]f64)
    (moves: [k][k]f64)
    (shows: [k][m]f64) : ([k]f64, [k][k]f64, [k][m]f64) =
  if m >= 1i64 && k >= 1i64 && all (\x -> 0i64 <= x && x < m) seen
  then
    #[unsafe]
    let i = f64_argmax start
    let shift = f64.floor (if f64.abs start[i] <= 1.7976931348623157e308f64 then start[i] else 0f64)
    let table = tabulate k (\i1 -> f64.exp (start[i1] - shift))
    let total = f64.sum table
    let table1 = tabulate k (\i1 -> table[i1] / total)
    let table2 = tabulate k (\r -> f64_argmax moves[r])
    let table3 =
      tabulate k (\r ->
        f64.floor
          (if f64.abs moves[r, table2[r]] <= 1.7976931348623157e308f64
           then moves[r, table2[r]]
           else 0f64))
    let table4 = tabulate k (\r -> tabulate k (\i1 -> f64.exp (moves[r, i1] - table3[r])))
    let table5 = tabulate k (\r -> f64.sum table4[r])
    let p = tabulate k (\r -> tabulate k (\i1 -> table4[r, i1] / table5[r]))
    let table6 = tabulate k (\s -> f64_argmax shows[s])
    let table7 =
      tabulate k (\s ->
        f64.floor
          (if f64.abs shows[s, table6[s]] <= 1.7976931348623157e308f64
           then shows[s, table6[s]]
           else 0f64))
    let table8 = tabulate k (\s -> tabulate m (\i1 -> f64.exp (shows[s, i1] - table7[s])))
    let table9 = tabulate k (\s -> f64.sum table8[s])
    let q = tabulate k (\s -> tabulate m (\i1 -> table8[s, i1] / table9[s]))
    let t1 =
      loop (a: [k]f64, kept: *[t]((([k]f64, f64), [k]f64), [k]f64)) = (table1,
         tabulate t (\_ ->
           (((replicate k 0f64, 0f64), replicate k 0f64), replicate k 0f64))) for i1 < t do
        let all = f64.sum a
        let table10 = tabulate k (\s -> f64.sum (tabulate k (\r -> a[r] * p[r, s])))
        let table11 = tabulate k (\s -> table10[s] * q[s, seen[i1]] / all) in
        (table11, kept with [i1] = (((a, all), table10), table11))
    let ddx = -(1f64 / f64.sum t1.0)
    let t2 =
      loop (l: [k]f64, kept: *[t]([k]f64, [k]f64)) = (replicate k ddx,
         tabulate t (\_ -> (replicate k 0f64, replicate k 0f64))) for round < t do
        let i1 = t - 1i64 - round
        let dtable = tabulate k (\s -> l[s] / ((((t1.1)[i1]).0).0).1)
        let dtable1 = tabulate k (\s -> dtable[s] * q[s, seen[i1]])
        let ddall =
          (-(1f64 / ((((t1.1)[i1]).0).0).1))
            - f64.sum (tabulate k (\s1 -> dtable[s1] * (((t1.1)[i1]).1)[s1])) in
        (tabulate k (\i2 -> ddall + f64.sum (tabulate k (\s1 -> dtable1[s1] * p[i2, s1]))),
         kept with [i1] = (dtable, dtable1))
    let table10 = tabulate k (\i1 -> (t2.0)[i1] / total)
    let ddtotal = -(f64.sum (tabulate k (\i1 -> table10[i1] * table1[i1])))
    let table11 =
      tabulate k (\r ->
        tabulate k (\i1 ->
          f64.sum (tabulate t (\i2 -> (((t2.1)[i2]).1)[i1] * (((((t1.1)[i2]).0).0).0)[r]))
            / table5[r]))
    let dtable = tabulate k (\r -> -(f64.sum (tabulate k (\i1 -> table11[r, i1] * p[r, i1]))))
    let table12 =
      tabulate t (\i1 -> tabulate k (\s -> (((t2.1)[i1]).0)[s] * ((((t1.1)[i1]).0).1)[s]))
    let ddq = tabulate k (\i1 -> hist (+) 0f64 m seen (tabulate t (\i2 -> table12[i2, i1])))
    let table13 = tabulate k (\s -> tabulate m (\i1 -> ddq[s, i1] / table9[s]))
    let dtable1 = tabulate k (\s -> -(f64.sum (tabulate m (\i1 -> table13[s, i1] * q[s, i1])))) in
    (tabulate k (\i1 -> table[i1] * (ddtotal + table10[i1])),
     tabulate k (\r -> tabulate k (\i1 -> table4[r, i1] * (dtable[r] + table11[r, i1]))),
     tabulate k (\s -> tabulate m (\i1 -> table8[s, i1] * (dtable1[s] + table13[s, i1]))))
  else assert (m >= 1i64 && k >= 1i64 && all (\x -> 0i64 <= x && x < m) seen)
      ((replicate k 0f64, replicate k (replicate k 0f64), replicate k (replicate m 0f64)))
