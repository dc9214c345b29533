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

def f64_power (x: f64) (k: i64) : f64 =
  let y = x ** f64.i64 k in
  if (-9007199254740992i64) <= k && k <= 9007199254740992i64 || k %% 2i64 == 0i64 then y
  else if x < 0f64 || 1f64 / x < 0f64 then -y else y

entry names [n] (n1: [n]f64) (reduce_: f64) (Deltax_: f64) (x: f64) : f64 =
  #[unsafe]
  let reduce_1 = reduce_ * Deltax_
  let f64_ = reduce_1 + x in
  f64_ + f64.sum (tabulate n (\i -> n1[i] * (reduce_1 + f64_)))

entry scalars (x: f64) (k: i64) : (i64, f64, f64) =
  (i64.bool ((-1.5f64) <= x && !(x >= 1e-7f64) || k != 0i64) + k * (-3i64) + i64.lowest,
   if (-1.5f64) <= x && !(x >= 1e-7f64) || k != 0i64
   then f64.nan
   else f64.min (-f64.inf) (1f64 / ((-1f64) * 0f64)),
   x - (x ** (-2f64) + f64_power x k - (-(f64.tanh (-(f64.abs x)))))
     + f64.max (f64.lgamma x) (digamma x) / (x * 1.5e300f64))
