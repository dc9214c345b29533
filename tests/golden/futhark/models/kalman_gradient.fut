-- Exported by redexter.

entry gradient [t] (y: [t]f64) (a: f64) (q: f64) (r: f64) : (f64, f64) =
  #[unsafe]
  let x = a * a
  let t1 =
    loop (a1: (f64, f64), kept: *[t]((((f64, f64), f64), f64), f64)) = ((0f64, 1f64),
       tabulate t (\_ -> ((((0f64, 0f64), 0f64), 0f64), 0f64))) for i < t do
      let error = y[i] - a1.0
      let spread = r + a1.1
      let r1 = a1.1 / spread
      let x1 = x * (1f64 - r1) in
      ((a * (a1.0 + r1 * error), q + x1 * a1.1),
       kept with [i] = ((((a1.1, error), spread), r1), x1))
  let dtable = tabulate t (\i -> 0.5f64 / ((((t1.1)[i]).0).0).1)
  let dddt =
    tabulate t (\i ->
      dtable[i]
        - dtable[i] * (((((t1.1)[i]).0).0).0).1 * (((((t1.1)[i]).0).0).0).1 / ((((t1.1)[i]).0).0).1)
  let t2 =
    loop l = (((0f64, 0f64), 0f64), 0f64) for i < t do
      let ddy = a * ((l.0).0).0
      let x1 =
        (ddy * (((((t1.1)[t - 1i64 - i]).0).0).0).1
           - x * ((l.0).0).1 * (((((t1.1)[t - 1i64 - i]).0).0).0).0)
          / ((((t1.1)[t - 1i64 - i]).0).0).1
      let g = -(x1 * (((t1.1)[t - 1i64 - i]).0).1) in
      (((ddy - ddy * (((t1.1)[t - 1i64 - i]).0).1
           - 2f64 * dtable[t - 1i64 - i] * (((((t1.1)[t - 1i64 - i]).0).0).0).1,
         g + x1 + dddt[t - 1i64 - i] + ((l.0).0).1 * ((t1.1)[t - 1i64 - i]).1),
        (l.0).1 + ((l.0).0).1),
       l.1 + (dddt[t - 1i64 - i] + g)) in
  ((t2.0).1, t2.1)
