-- Exported by redexter.

entry gradient [t] [h] (x: [t][h]f64) (y: [h]f64) (w: [h][h]f64) : [h][h]f64 =
  tabulate h (\i ->
    tabulate h (\j ->
      (let w1 =
         tabulate h (\k -> tabulate h (\l -> (w[k, l], if i == k && j == l then 1f64 else 0f64))) in
       let last =
         loop (state: [h](f64, f64)) = tabulate h (\_ -> (0f64, 0f64)) for i1 < t do
           tabulate h (\k ->
             let x1 =
               let x1 =
                 loop sum = (0f64, 0f64) for j1 < h do
                   let y1 =
                     let x1 = w1[k, j1] in
                     let y1 = state[j1] in
                     (x1.0 * y1.0, x1.0 * y1.1 + x1.1 * y1.0) in
                   (sum.0 + y1.0, sum.1 + y1.1) in
               let y1 = (x[i1, k], 0f64) in
               (x1.0 + y1.0, x1.1 + y1.1) in
             let r = f64.tanh x1.0 in
             (r, (1f64 - r * r) * x1.1)) in
       loop sum = (0f64, 0f64) for k < h do
         let r =
           let x1 = last[k] in
           let y1 = (y[k], 0f64) in
           (x1.0 - y1.0, x1.1 - y1.1) in
         let y1 = (r.0 * r.0, r.0 * r.1 + r.1 * r.0) in
         (sum.0 + y1.0, sum.1 + y1.1)).1))
