-- models/layer_norm.arr: n rows of d numbers, each moved and scaled to mean 0 and variance 1, then stretched by g and moved by
-- b; half the sum of squared differences from y. What layers of large networks begin with
def normalise {n d} (x : array n (array d real)) (g b : array d real) : array n (array d real) :=
  build n (fun i =>
    let mean := ifold d (fun sum c => sum + x[i][c]) 0 / real d;
    let variance := ifold d (fun sum c => sum + (x[i][c] - mean) * (x[i][c] - mean)) 0 / real d;
    build d (fun c => g[c] * (x[i][c] - mean) / sqrt (variance + 0.00001) + b[c]))

def loss {n d} (y x : array n (array d real)) (g b : array d real) : real :=
  let z := normalise x g b;
  ifold n (fun acc i => acc + ifold d (fun sum c => sum + 0.5 * (z[i][c] - y[i][c]) * (z[i][c] - y[i][c])) 0) 0

-- By the rows, the stretch and the move.
def gradient {n d} (y x : array n (array d real)) (g b : array d real)
    : array n (array d real) * array d real * array d real :=
  (gradMatrix (fun v => loss y v g b) x, grad (fun v => loss y x v b) g, grad (fun v => loss y x g v) b)
