-- Exported by redexter.

def digamma (x: f64) : f64 =
  if x == 0f64 then (-1f64) / x
  else if x == f64.inf then x
  else if x < 0f64 && (f64.isinf x || x == f64.round x) then f64.nan
  else
    let start = if x < 0f64 then 1f64 - x else x in
    let shifted =
      loop (far, steps) = (start, 0f64) while far < 16f64 do
        (far + 1f64, steps + 1f64 / far) in
    let far = shifted.0 in
    let steps = shifted.1 in
    let s = 1f64 / far / far in
    let c7 = 1f64 / 12f64 in
    let c6 = c7 * s - 691f64 / 32760f64 in
    let c5 = c6 * s + 1f64 / 132f64 in
    let c4 = c5 * s - 1f64 / 240f64 in
    let c3 = c4 * s + 1f64 / 252f64 in
    let c2 = c3 * s - 1f64 / 120f64 in
    let c1 = c2 * s + 1f64 / 12f64 in
    let value = f64.log far - 0.5f64 / far - c1 * s - steps in
    if x < 0f64 then value - f64.pi / f64.tan (f64.pi * (x - f64.round x)) else value

def f64_log1p (x: f64) : f64 =
  let u = 1f64 + x in
  if u == 1f64 || u == f64.inf then x
  else f64.log u * (x / (u - 1f64))

def f64_expm1 (x: f64) : f64 =
  let u = f64.exp x in
  let less = u - 1f64 in
  if u == 1f64 then x
  else if less == (-1f64) || u == f64.inf then less
  else less * (x / f64.log u)

entry lacking [n] (log1p: f64) (v: [n]f64) : (f64, [n]f64) =
  let expm1 = f64_expm1 log1p in
  (expm1 + f64.sinh log1p + f64.cosh log1p + f64.atan log1p + f64.erf log1p + digamma log1p,
   tabulate n (\i -> f64_log1p (v[i] * v[i])))
