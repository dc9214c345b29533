-- models/kalman.arr: how unlikely t observations are to a Kalman filter of one state, which is a times the one before and noise of
-- variance q, and is seen with noise of variance r: the negative logarithm of their likelihood. The fold carries the mean and the
-- variance that are predicted, and the sum.
def loss {t} (y : array t real) (a q r : real) : real :=
  let (_, _, total) := ifold t (fun (mean, variance, sum) i =>
    let error := y[i] - mean;
    let spread := variance + r;
    let gain := variance / spread;
    (a * (mean + gain * error), a * a * (1 - gain) * variance + q,
      sum + 0.5 * (log (6.283185307179586 * spread) + error * error / spread))) (0, 1, 0);
  total

def gradient {t} (y : array t real) (a q r : real) : real * real :=
  grad (fun (q, r) => loss y a q r) (q, r)
