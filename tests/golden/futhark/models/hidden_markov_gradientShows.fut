-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradientShows [t] [k] [m]
    (seen: [t]i64)
    (start: [k]f64)
    (moves: [k][k]f64)
    (shows: [k][m]f64) : [k][m]f64 =
  if m >= 1i64 && k >= 1i64 && all (\x -> 0i64 <= x && x < m) seen
  then
    #[unsafe]
    let i = f64_argmax start
    let shift = f64.floor (if f64.abs start[i] <= 1.7976931348623157e308f64 then start[i] else 0f64)
    let e = tabulate k (\i1 -> f64.exp (start[i1] - shift))
    let total = f64.sum e
    let table = tabulate k (\r -> f64_argmax moves[r])
    let table1 =
      tabulate k (\r ->
        f64.floor
          (if f64.abs moves[r, table[r]] <= 1.7976931348623157e308f64
           then moves[r, table[r]]
           else 0f64))
    let table2 = tabulate k (\r -> tabulate k (\i1 -> f64.exp (moves[r, i1] - table1[r])))
    let table3 = tabulate k (\r -> f64.sum table2[r])
    let p = tabulate k (\r -> tabulate k (\i1 -> table2[r, i1] / table3[r]))
    let table4 = tabulate k (\s -> f64_argmax shows[s])
    let table5 =
      tabulate k (\s ->
        f64.floor
          (if f64.abs shows[s, table4[s]] <= 1.7976931348623157e308f64
           then shows[s, table4[s]]
           else 0f64))
    let table6 = tabulate k (\s -> tabulate m (\i1 -> f64.exp (shows[s, i1] - table5[s])))
    let table7 = tabulate k (\s -> f64.sum table6[s])
    let table8 = tabulate k (\s -> tabulate m (\i1 -> table6[s, i1] / table7[s]))
    let t1 =
      loop (a: [k]f64, kept: *[t]((f64, [k]f64), [k]f64)) = (tabulate k (\i1 -> e[i1] / total),
         tabulate t (\_ -> ((0f64, replicate k 0f64), replicate k 0f64))) for i1 < t do
        let all = f64.sum a
        let table9 = tabulate k (\s -> f64.sum (tabulate k (\r -> a[r] * p[r, s])))
        let table10 = tabulate k (\s -> table9[s] * table8[s, seen[i1]] / all) in
        (table10, kept with [i1] = ((all, table9), table10))
    let ddx = -(1f64 / f64.sum t1.0)
    let t2 =
      loop (l: [k]f64, kept: *[t][k]f64) = (replicate k ddx,
         replicate t (replicate k 0f64)) for round < t do
        let i1 = t - 1i64 - round
        let dtable = tabulate k (\s -> l[s] / (((t1.1)[i1]).0).0)
        let dtable1 = tabulate k (\s -> dtable[s] * table8[s, seen[i1]])
        let ddall =
          (-(1f64 / (((t1.1)[i1]).0).0))
            - f64.sum (tabulate k (\s1 -> dtable[s1] * (((t1.1)[i1]).1)[s1])) in
        (tabulate k (\i2 -> ddall + f64.sum (tabulate k (\s1 -> dtable1[s1] * p[i2, s1]))),
         kept with [i1] = dtable)
    let table9 = tabulate t (\i1 -> tabulate k (\s -> (t2.1)[i1, s] * ((((t1.1)[i1]).0).1)[s]))
    let ddq = tabulate k (\i1 -> hist (+) 0f64 m seen (tabulate t (\i2 -> table9[i2, i1])))
    let table10 = tabulate k (\s -> tabulate m (\i1 -> ddq[s, i1] / table7[s]))
    let dtable =
      tabulate k (\s -> -(f64.sum (tabulate m (\i1 -> table10[s, i1] * table8[s, i1])))) in
    tabulate k (\s -> tabulate m (\i1 -> table6[s, i1] * (dtable[s] + table10[s, i1])))
  else assert (m >= 1i64 && k >= 1i64 && all (\x -> 0i64 <= x && x < m) seen)
      (replicate k (replicate m 0f64))
