-- Exported by redexter.

entry functions (x: f64) (k: i64) : (f64, [2]f64) =
  let s = f64.sin x
  let condition = k < 3i64
  let second = x * 2f64 in
  ((let x1 = if condition then x + s else x * x in
    if condition then x1 + s else x1 * x1)
     + (let y =
        let y =
          let y = 1.01f64 * 1.01f64 in
          y * y
        let y1 = y * y in
        y1 * y1
      let y1 =
        let y1 = y * y in
        y1 * y1
      let y2 = y1 * y1 in
      y2 * y2),
   tabulate 2 (\i ->
     if i == 0i64 then second * second else if condition then second + s else second * second))
