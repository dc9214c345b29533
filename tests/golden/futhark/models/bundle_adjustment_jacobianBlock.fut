-- Exported by redexter.

entry jacobianBlock (feature: [2]f64) (p: [15]f64) : [15][2]f64 =
  let x = p[11i64] - p[3i64] in
  let x1 = p[12i64] - p[4i64] in
  let x2 = p[13i64] - p[5i64] in
  let square = p[2i64] * p[2i64] + (p[1i64] * p[1i64] + p[0i64] * p[0i64]) in
  let r = f64.sqrt square in
  let r1 = 1f64 / r in
  let axis = r1 * p[0i64] in
  let axis1 = r1 * p[1i64] in
  let axis2 = r1 * p[2i64] in
  let c = f64.cos r in
  let s = f64.sin r in
  let turned = axis1 * x2 - axis2 * x1 in
  let turned1 = axis2 * x - axis * x2 in
  let turned2 = axis * x1 - axis1 * x in
  let x3 = axis2 * x2 + (axis1 * x1 + axis * x) in
  let y = 1f64 - c in
  let along = y * x3 in
  let c1 = i64.bool (square == 0f64) in
  let x4 =
    if c1 != 0i64
    then x1 * p[0i64] - x * p[1i64] + x2
    else along * axis2 + (turned2 * s + c * x2) in
  let s1 = y * axis in
  let s2 = s * x1 in
  let c2 = s1 * x2 - s2 in
  let s3 = y * axis1 in
  let s4 = s * x in
  let c3 = s4 + s3 * x2 in
  let s5 = y * axis2 in
  let c4 = along + s5 * x2 in
  let s6 = s * x2 in
  let c5 = s6 + s1 * x1 in
  let c6 = along + s3 * x1 in
  let c7 = s5 * x1 - s4 in
  let c8 = along + s1 * x in
  let c9 = s3 * x - s6 in
  let c10 = s2 + s5 * x in
  let c11 =
    turned * c - (x - x3 * axis) * s - (c5 * p[1i64] + c8 * p[0i64] + c2 * p[2i64]) * r1 / r in
  let c12 =
    turned1 * c - (x1 - x3 * axis1) * s - (c6 * p[1i64] + c9 * p[0i64] + c3 * p[2i64]) * r1 / r in
  let c13 =
    turned2 * c - (x2 - x3 * axis2) * s - (c7 * p[1i64] + c10 * p[0i64] + c4 * p[2i64]) * r1 / r in
  let r2 =
    (if c1 != 0i64 then x2 * p[1i64] - x1 * p[2i64] + x else along * axis + (turned * s + c * x))
      / x4 in
  let r3 =
    (if c1 != 0i64 then x * p[2i64] - x2 * p[0i64] + x1 else along * axis1 + (turned1 * s + c * x1))
      / x4 in
  let rho = r3 * r3 + r2 * r2 in
  let y1 = rho * rho in
  let y2 = y1 * p[10i64] + (1f64 + rho * p[9i64]) in
  let scale = y2 * p[6i64] in
  let s7 = p[9i64] + 2f64 * rho * p[10i64] in
  let s8 = 2f64 * (r2 * p[6i64] * p[14i64] * s7) in
  let c14 = s8 * r3 in
  let s9 = scale * p[14i64] in
  let s10 = 2f64 * (r3 * p[6i64] * p[14i64] * s7) in
  let c15 = s10 * r3 + s9 in
  let c16 = s8 * r2 + s9 in
  let c17 = s10 * r2 in
  let c18 = ((-(c16 * r2)) - c14 * r3) / x4 in
  let c19 = ((-(c17 * r2)) - c15 * r3) / x4 in
  let c20 =
    if !(c1 != 0i64)
    then (0.5f64 * c18 * c13 + (0.5f64 * c16 * c11 + 0.5f64 * c14 * c12) / x4) / r
    else 0f64 in
  let c21 =
    if !(c1 != 0i64)
    then (0.5f64 * c19 * c13 + (0.5f64 * c17 * c11 + 0.5f64 * c15 * c12) / x4) / r
    else 0f64 in
  let s11 = s * axis in
  let s12 = s5 * axis1 in
  let s13 = if c1 != 0i64 then -p[0i64] else s12 - s11 in
  let s14 = s5 * axis in
  let s15 = s * axis1 in
  let s16 = if c1 != 0i64 then p[1i64] else s15 + s14 in
  let s17 = if c1 != 0i64 then 1f64 else c + s5 * axis2 in
  let c22 = c18 * s17 + (c16 * s16 + c14 * s13) / x4 in
  let c23 = c19 * s17 + (c17 * s16 + c15 * s13) / x4 in
  let s18 = s * axis2 in
  let s19 = s3 * axis in
  let s20 = if c1 != 0i64 then -p[2i64] else s19 - s18 in
  let s21 = if c1 != 0i64 then p[0i64] else s11 + s12 in
  let s22 = if c1 != 0i64 then 1f64 else c + s3 * axis1 in
  let c24 = c18 * s21 + (c14 * s22 + c16 * s20) / x4 in
  let c25 = c19 * s21 + (c15 * s22 + c17 * s20) / x4 in
  let s23 = if c1 != 0i64 then -p[1i64] else s14 - s15 in
  let s24 = if c1 != 0i64 then 1f64 else c + s1 * axis in
  let s25 = if c1 != 0i64 then p[2i64] else s18 + s19 in
  let c26 = c18 * s23 + (c16 * s24 + c14 * s25) / x4 in
  let c27 = c19 * s23 + (c17 * s24 + c15 * s25) / x4 in
  let table = 2f64 * p[1i64] in
  let table1 = 2f64 * p[0i64] in
  let table2 = 2f64 * p[2i64] in
  [let s26 = if c1 != 0i64 then -x2 else c9 * r1 in
   let s27 = if c1 != 0i64 then x1 else c10 * r1 in
   let s28 = if c1 != 0i64 then 0f64 else c8 * r1 in
   [table1 * c20 + c18 * s27 + (c16 * s28 + c14 * s26) / x4,
    table1 * c21 + c19 * s27 + (c17 * s28 + c15 * s26) / x4],
   let s26 = if c1 != 0i64 then -x else c7 * r1 in
   let s27 = if c1 != 0i64 then x2 else c5 * r1 in
   let s28 = if c1 != 0i64 then 0f64 else c6 * r1 in
   [table * c20 + c18 * s26 + (c16 * s27 + c14 * s28) / x4,
    table * c21 + c19 * s26 + (c17 * s27 + c15 * s28) / x4],
   let s26 = if c1 != 0i64 then -x1 else c2 * r1 in
   let s27 = if c1 != 0i64 then 0f64 else c4 * r1 in
   let s28 = if c1 != 0i64 then x else c3 * r1 in
   [table2 * c20 + c18 * s27 + (c14 * s28 + c16 * s26) / x4,
    table2 * c21 + c19 * s27 + (c15 * s28 + c17 * s26) / x4],
   [-c26, -c27],
   [-c24, -c25],
   [-c22, -c23],
   [y2 * r2 * p[14i64], y2 * r3 * p[14i64]],
   [p[14i64], 0f64],
   [0f64, p[14i64]],
   [rho * r2 * p[6i64] * p[14i64], rho * r3 * p[6i64] * p[14i64]],
   [y1 * r2 * p[6i64] * p[14i64], y1 * r3 * p[6i64] * p[14i64]],
   [c26, c27],
   [c24, c25],
   [c22, c23],
   [scale * r2 + p[7i64] - feature[0i64], scale * r3 + p[8i64] - feature[1i64]]]
