-- Exported by redexter.

entry gradientB2 [n] [d] [h]
    (x: [n][d]f64)
    (y: [n]f64)
    (w1: [h][d]f64)
    (b1: [h]f64)
    (w2: [h]f64)
    (b2: f64) : f64 =
  #[unsafe]
  (let b = (b2, 1f64) in
   reduce (\(a1, a2) (b1, b2) -> (a1 + b1, a2 + b2)) (0f64, 0f64)
     (tabulate n (\i ->
        let r =
          let x1 =
            let x1 = x[i]
            let hidden =
              tabulate h (\k -> f64.tanh (f64.sum (tabulate d (\j -> w1[k, j] * x1[j])) + b1[k]))
            let x2 = (f64.sum (tabulate h (\k -> w2[k] * hidden[k])), 0f64) in
            (x2.0 + b.0, x2.1 + b.1)
          let y1 = (y[i], 0f64) in
          (x1.0 - y1.0, x1.1 - y1.1)
        let y1 = (r.0 * r.0, r.0 * r.1 + r.1 * r.0) in
        (y1.0, y1.1)))).1
