-- Exported by redexter.

entry gradient [t] (y: [t]f64) (a: f64) (q: f64) (r: f64) : (f64, f64) =
  let table = a * a in
  (((loop pair = ((0f64, 0f64), ((1f64, 0f64), 0f64)) for i < t do
       let error = y[i] - (pair.0).0 in
       let derror = -(pair.0).1 in
       let spread = r + ((pair.1).0).0 in
       let r1 = ((pair.1).0).0 / spread in
       let s = 1f64 - r1 in
       let dgain = ((pair.1).0).1 * s / spread in
       let x = s * table in
       (((r1 * error + (pair.0).0) * a, (dgain * error + r1 * derror + (pair.0).1) * a),
        ((x * ((pair.1).0).0 + q, 1f64 + (x * ((pair.1).0).1 + (-dgain) * table * ((pair.1).0).0)),
         0.5f64
           * ((2f64 * derror * error - error * error / spread * ((pair.1).0).1) / spread
              + ((pair.1).0).1 / spread)
           + (pair.1).1))).1).1,
   ((loop pair = ((0f64, 0f64), ((1f64, 0f64), 0f64)) for i < t do
       let error = y[i] - (pair.0).0 in
       let derror = -(pair.0).1 in
       let spread = r + ((pair.1).0).0 in
       let dspread = 1f64 + ((pair.1).0).1 in
       let r1 = ((pair.1).0).0 / spread in
       let dgain = (((pair.1).0).1 - r1 * dspread) / spread in
       let x = (1f64 - r1) * table in
       (((r1 * error + (pair.0).0) * a, (dgain * error + r1 * derror + (pair.0).1) * a),
        ((x * ((pair.1).0).0 + q, x * ((pair.1).0).1 + (-dgain) * table * ((pair.1).0).0),
         0.5f64
           * ((2f64 * derror * error - error * error / spread * dspread) / spread
              + dspread / spread)
           + (pair.1).1))).1).1)
