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

def f64_expm1 (x: f64) : f64 =
  let u = f64.exp x in
  let less = u - 1f64 in
  if u == 1f64 then x
  else if less == (-1f64) || u == f64.inf then less
  else less * (x / f64.log u)

def f64_log1p (x: f64) : f64 =
  let u = 1f64 + x in
  if u == 1f64 || u == f64.inf then x
  else f64.log u * (x / (u - 1f64))

def f64_sign (x: f64) : f64 =
  if x > 0f64 then 1f64
  else if x < 0f64 then (-1f64)
  else x

def i64_quotient (a: i64) (b: i64) : i64 =
  if b == 0i64 then 0i64
  else if b == (-1i64) then 0i64 - a
  else if a %% b >= 0i64 then a // b
  else if b > 0i64 then a // b - 1i64
  else a // b + 1i64

def i64_remainder (a: i64) (b: i64) : i64 =
  if b == 0i64 then a
  else if b == (-1i64) then 0i64
  else if a %% b >= 0i64 then a %% b
  else if b > 0i64 then a %% b + b
  else a %% b - b

def trigamma (x: f64) : f64 =
  let start = if x < 0f64 then 1f64 - x else x in
  let shifted =
    loop (far, steps) = (start, 0f64) while far < 16f64 do
      (far + 1f64, steps + 1f64 / far / far) in
  let far = shifted.0 in
  let steps = shifted.1 in
  let s = 1f64 / far / far in
  let c7 = 7f64 / 6f64 in
  let c6 = c7 * s - 691f64 / 2730f64 in
  let c5 = c6 * s + 5f64 / 66f64 in
  let c4 = c5 * s - 1f64 / 30f64 in
  let c3 = c4 * s + 1f64 / 42f64 in
  let c2 = c3 * s - 1f64 / 30f64 in
  let c1 = c2 * s + 1f64 / 6f64 in
  let value = (1f64 + (0.5f64 / far + c1 * s)) / far + steps in
  let sine = f64.sin (f64.pi * (x - f64.round x)) in
  if x < 0f64 then f64.pi / sine * (f64.pi / sine) - value else value

entry lacking [n] (log1p: f64) (v: [n]f64) : (f64, [n]f64) =
  #[unsafe]
  let expm1 = f64_expm1 log1p in
  (expm1 + f64.sinh log1p + f64.cosh log1p + f64.atan log1p + f64.erf log1p + digamma log1p
     + trigamma log1p
     + f64_sign log1p,
   tabulate n (\i -> f64_log1p (v[i] * v[i])))

entry divided (a: i64) (b: i64) (x: f64) : (i64, i64, f64, f64) =
  (i64_quotient a (b - 4i64),
   i64_remainder a (b - 4i64),
   ((-(-(f64.abs x))) ** 1.5f64) ** (-(-(-(f64.abs x))))
     + (-(-(f64.abs x))) ** (0.5f64 ** (-(-(f64.abs x)))),
   f64.atan2 x (f64.floor x) * f64.round x)
