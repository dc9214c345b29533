-- Exported by redexter.

def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1

entry gradient [n] (v: [n]f64) : [n]f64 =
  if n >= 1i64
  then
    #[unsafe]
    let i = f64_argmax v
    let shift = f64.floor (if f64.abs v[i] <= 1.7976931348623157e308f64 then v[i] else 0f64)
    let table = tabulate n (\i1 -> f64.exp (v[i1] - shift))
    let x = f64.sum table in
    tabulate n (\i1 -> table[i1] / x)
  else assert (n >= 1i64)
      (replicate n 0f64)
