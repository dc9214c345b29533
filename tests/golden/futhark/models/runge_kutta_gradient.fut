-- Exported by redexter.

entry gradient [t]
    (counted_1: [t]f64)
    (counted_2: [t]f64)
    (start_1: f64)
    (start_2: f64)
    (rates: [4]f64) : [4]f64 =
  #[unsafe]
  let counted = tabulate t (\i -> (counted_1[i], counted_2[i]))
  let start = (start_1, start_2)
  let t1 =
    loop (a: (f64, f64),
     kept: *[t](((((((((((((((((f64, f64), f64), f64), f64), f64), f64), f64), f64), f64), f64), f64), f64), f64), f64), f64), f64), f64)) = (start,
       tabulate t (\_ ->
         (((((((((((((((((0f64, 0f64), 0f64), 0f64), 0f64), 0f64), 0f64), 0f64), 0f64), 0f64),
                 0f64),
                0f64),
               0f64),
              0f64),
             0f64),
            0f64),
           0f64),
          0f64))) for i < t do
      let x = a.0 * rates[1i64]
      let k1 = a.0 * rates[0i64] - x * a.1
      let x1 = a.0 * rates[2i64]
      let dk1 = x1 * a.1 - a.1 * rates[3i64]
      let prey = 0.05f64 * k1 + a.0
      let predators = 0.05f64 * dk1 + a.1
      let x2 = prey * rates[1i64]
      let k2 = prey * rates[0i64] - x2 * predators
      let x3 = prey * rates[2i64]
      let dk2 = x3 * predators - predators * rates[3i64]
      let prey1 = 0.05f64 * k2 + a.0
      let predators1 = 0.05f64 * dk2 + a.1
      let x4 = prey1 * rates[1i64]
      let k3 = prey1 * rates[0i64] - x4 * predators1
      let x5 = prey1 * rates[2i64]
      let dk3 = x5 * predators1 - predators1 * rates[3i64]
      let prey2 = 0.1f64 * k3 + a.0
      let predators2 = 0.1f64 * dk3 + a.1
      let x6 = prey2 * rates[1i64]
      let x7 = prey2 * rates[2i64]
      let prey3 =
        a.0
          + 0.016666666666666666f64
            * (2f64 * k3 + 2f64 * k2 + k1 + prey2 * rates[0i64] - x6 * predators2)
      let predators3 =
        a.1
          + 0.016666666666666666f64
            * (2f64 * dk3 + 2f64 * dk2 + dk1 + x7 * predators2 - predators2 * rates[3i64]) in
      ((prey3, predators3),
       kept with [i] = ((((((((((((((((a, x), x1), prey), predators), x2), x3), prey1), predators1),
               x4),
              x5),
             prey2),
            predators2),
           x6),
          x7),
         prey3),
        predators3))
  let t2 =
    loop l = (((((0f64, 0f64), 0f64), 0f64), 0f64), 0f64) for i < t do
      let ddpredators =
        ((((l.0).0).0).0).1 + 2f64 * (((t1.1)[t - 1i64 - i]).1 - (counted[t - 1i64 - i]).1)
      let ddy = 0.016666666666666666f64 * ddpredators
      let ddprey =
        ((((l.0).0).0).0).0 + 2f64 * ((((t1.1)[t - 1i64 - i]).0).1 - (counted[t - 1i64 - i]).0)
      let ddy1 = 0.016666666666666666f64 * ddprey
      let ddy2 = -ddy
      let ddx = ddy * ((((((t1.1)[t - 1i64 - i]).0).0).0).0).1
      let ddy3 = -ddy1
      let ddx1 = ddy3 * ((((((t1.1)[t - 1i64 - i]).0).0).0).0).1
      let ddpredators1 =
        ddy2 * rates[3i64] + ddy * ((((t1.1)[t - 1i64 - i]).0).0).1
          + ddy3 * (((((t1.1)[t - 1i64 - i]).0).0).0).1
      let ddprey1 = ddx * rates[2i64] + ddx1 * rates[1i64] + ddy1 * rates[0i64]
      let s = 2f64 * ddy
      let dddk3 = s + 0.1f64 * ddpredators1
      let ddy4 = -dddk3
      let ddx2 = dddk3 * ((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).1
      let s1 = 2f64 * ddy1
      let ddk3 = s1 + 0.1f64 * ddprey1
      let ddy5 = -ddk3
      let ddx3 = ddy5 * ((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).1
      let ddpredators2 =
        ddy4 * rates[3i64] + dddk3 * ((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).1
          + ddy5 * (((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).1
      let ddprey2 = ddx2 * rates[2i64] + ddx3 * rates[1i64] + ddk3 * rates[0i64]
      let dddk2 = 0.05f64 * ddpredators2 + s
      let ddy6 = -dddk2
      let ddx4 = dddk2 * ((((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).0).1
      let ddk2 = 0.05f64 * ddprey2 + s1
      let ddy7 = -ddk2
      let ddx5 = ddy7 * ((((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).0).1
      let ddpredators3 =
        ddy6 * rates[3i64]
          + dddk2 * ((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).1
          + ddy7 * (((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).1
      let ddprey3 = ddx4 * rates[2i64] + ddx5 * rates[1i64] + ddk2 * rates[0i64]
      let dddk1 = 0.05f64 * ddpredators3 + ddy
      let ddy8 = -dddk1
      let ddx6 =
        dddk1
          * ((((((((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).1
      let ddk1 = 0.05f64 * ddprey3 + ddy1
      let ddy9 = -ddk1
      let ddx7 =
        ddy9
          * ((((((((((((((((((t1.1)[t - 1i64
                              - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).1 in
      (((((ddprey3 + ddprey2 + ddprey1 + ddprey + ddx6 * rates[2i64] + ddx7 * rates[1i64]
             + ddk1 * rates[0i64],
           ddpredators3 + ddpredators2 + ddpredators1 + ddpredators + ddy8 * rates[3i64]
             + dddk1
               * ((((((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).0).1
             + ddy9
               * (((((((((((((((((t1.1)[t - 1i64
                                  - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).1),
          (((l.0).0).0).1
            + (ddk1
               * ((((((((((((((((((t1.1)[t - 1i64
                                   - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0
               + (((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).1 * ddk3
               + ddk2 * (((((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).1
               + (((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).1 * ddy1)),
         ((l.0).0).1
           + (ddx7
              * ((((((((((((((((((t1.1)[t - 1i64
                                  - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0
              + (((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).1 * ddx1
              + ddx3 * (((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).1
              + ddx5
                * (((((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).1)),
        (l.0).1
          + ((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).1 * ddx
             + ddx6
               * ((((((((((((((((((t1.1)[t - 1i64
                                   - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0
             + ddx4 * (((((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).1
             + (((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).1 * ddx2)),
       l.1
         + (((((((t1.1)[t - 1i64 - i]).0).0).0).0).1 * ddy2
            + ddy6 * ((((((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).0).0).0).0).1
            + ((((((((((t1.1)[t - 1i64 - i]).0).0).0).0).0).0).0).0).1 * ddy4
            + ddy8
              * ((((((((((((((((((t1.1)[t - 1i64
                                  - i]).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).0).1)) in
  [(((t2.0).0).0).1, ((t2.0).0).1, (t2.0).1, t2.1]
