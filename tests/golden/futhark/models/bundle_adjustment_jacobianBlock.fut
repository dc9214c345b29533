-- Exported by redexter.

entry jacobianBlock (feature: [2]f64) (p: [15]f64) : [15][2]f64 =
  #[unsafe]
  let x = p[11i64] - p[3i64]
  let x1 = p[12i64] - p[4i64]
  let x2 = p[13i64] - p[5i64]
  let square = p[2i64] * p[2i64] + (p[1i64] * p[1i64] + p[0i64] * p[0i64])
  let r = f64.sqrt square
  let r1 = 1f64 / r
  let axis = r1 * p[0i64]
  let axis1 = r1 * p[1i64]
  let axis2 = r1 * p[2i64]
  let c = f64.cos r
  let s = f64.sin r
  let turned = axis1 * x2 - axis2 * x1
  let turned1 = axis2 * x - axis * x2
  let turned2 = axis * x1 - axis1 * x
  let x3 = axis2 * x2 + (axis1 * x1 + axis * x)
  let y = 1f64 - c
  let along = y * x3
  let c1 = square == 0f64
  let x4 = if c1 then x1 * p[0i64] - x * p[1i64] + x2 else along * axis2 + (turned2 * s + c * x2)
  let s1 = y * axis
  let s2 = s * x1
  let c2 = s1 * x2 - s2
  let s3 = y * axis1
  let s4 = s * x
  let c3 = s4 + s3 * x2
  let s5 = y * axis2
  let c4 = along + s5 * x2
  let s6 = s * x2
  let c5 = s6 + s1 * x1
  let c6 = along + s3 * x1
  let c7 = s5 * x1 - s4
  let c8 = along + s1 * x
  let c9 = s3 * x - s6
  let c10 = s2 + s5 * x
  let c11 = turned * c - (x - x3 * axis) * s - (c5 * p[1i64] + c8 * p[0i64] + c2 * p[2i64]) * r1 / r
  let c12 =
    turned1 * c - (x1 - x3 * axis1) * s - (c6 * p[1i64] + c9 * p[0i64] + c3 * p[2i64]) * r1 / r
  let c13 =
    turned2 * c - (x2 - x3 * axis2) * s - (c7 * p[1i64] + c10 * p[0i64] + c4 * p[2i64]) * r1 / r
  let r2 =
    (if c1 then x2 * p[1i64] - x1 * p[2i64] + x else along * axis + (turned * s + c * x)) / x4
  let r3 =
    (if c1 then x * p[2i64] - x2 * p[0i64] + x1 else along * axis1 + (turned1 * s + c * x1)) / x4
  let rho = r3 * r3 + r2 * r2
  let y1 = rho * rho
  let y2 = y1 * p[10i64] + (1f64 + rho * p[9i64])
  let scale = y2 * p[6i64]
  let s7 = p[9i64] + 2f64 * rho * p[10i64]
  let s8 = 2f64 * (r2 * p[6i64] * p[14i64] * s7)
  let c14 = s8 * r3
  let s9 = scale * p[14i64]
  let s10 = 2f64 * (r3 * p[6i64] * p[14i64] * s7)
  let c15 = s10 * r3 + s9
  let c16 = s8 * r2 + s9
  let c17 = s10 * r2
  let c18 = ((-(c16 * r2)) - c14 * r3) / x4
  let c19 = ((-(c17 * r2)) - c15 * r3) / x4
  let c20 =
    if !c1 then (0.5f64 * c18 * c13 + (0.5f64 * c16 * c11 + 0.5f64 * c14 * c12) / x4) / r else 0f64
  let c21 =
    if !c1 then (0.5f64 * c19 * c13 + (0.5f64 * c17 * c11 + 0.5f64 * c15 * c12) / x4) / r else 0f64
  let s11 = s * axis
  let s12 = s5 * axis1
  let s13 = if c1 then -p[0i64] else s12 - s11
  let s14 = s5 * axis
  let s15 = s * axis1
  let s16 = if c1 then p[1i64] else s15 + s14
  let s17 = if c1 then 1f64 else c + s5 * axis2
  let c22 = c18 * s17 + (c16 * s16 + c14 * s13) / x4
  let c23 = c19 * s17 + (c17 * s16 + c15 * s13) / x4
  let s18 = s * axis2
  let s19 = s3 * axis
  let s20 = if c1 then -p[2i64] else s19 - s18
  let s21 = if c1 then p[0i64] else s11 + s12
  let s22 = if c1 then 1f64 else c + s3 * axis1
  let c24 = c18 * s21 + (c14 * s22 + c16 * s20) / x4
  let c25 = c19 * s21 + (c15 * s22 + c17 * s20) / x4
  let s23 = if c1 then -p[1i64] else s14 - s15
  let s24 = if c1 then 1f64 else c + s1 * axis
  let s25 = if c1 then p[2i64] else s18 + s19
  let c26 = c18 * s23 + (c16 * s24 + c14 * s25) / x4
  let c27 = c19 * s23 + (c17 * s24 + c15 * s25) / x4
  let table = 2f64 * p[1i64]
  let table1 = 2f64 * p[0i64]
  let table2 = 2f64 * p[2i64] in
  [let s26 = if c1 then -x2 else c9 * r1
   let s27 = if c1 then x1 else c10 * r1
   let s28 = if c1 then 0f64 else c8 * r1 in
   [table1 * c20 + c18 * s27 + (c16 * s28 + c14 * s26) / x4,
    table1 * c21 + c19 * s27 + (c17 * s28 + c15 * s26) / x4],
   let s26 = if c1 then -x else c7 * r1
   let s27 = if c1 then x2 else c5 * r1
   let s28 = if c1 then 0f64 else c6 * r1 in
   [table * c20 + c18 * s26 + (c16 * s27 + c14 * s28) / x4,
    table * c21 + c19 * s26 + (c17 * s27 + c15 * s28) / x4],
   let s26 = if c1 then -x1 else c2 * r1
   let s27 = if c1 then 0f64 else c4 * r1
   let s28 = if c1 then x else c3 * r1 in
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
