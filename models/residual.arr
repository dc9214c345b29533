-- models/residual.arr: three layers, each of which adds to what it is given, and the sum of squared errors
def layer {h} (w : array h (array h real)) (b x : array h real) : array h real :=
  build h (fun i => x[i] + tanh (ifold h (fun sum j => sum + w[i][j] * x[j]) 0 + b[i]))

def loss {n h} (x y : array n (array h real)) (w1 : array h (array h real)) (b1 : array h real)
    (w2 : array h (array h real)) (b2 : array h real) (w3 : array h (array h real)) (b3 : array h real) : real :=
  ifold n (fun acc i =>
    let out := layer w3 b3 (layer w2 b2 (layer w1 b1 x[i]));
    acc + ifold h (fun sum k => sum + (out[k] - y[i][k]) * (out[k] - y[i][k])) 0) 0

-- By all weights and biases, in one program.
def gradient {n h} (x y : array n (array h real)) (w1 : array h (array h real)) (b1 : array h real)
    (w2 : array h (array h real)) (b2 : array h real) (w3 : array h (array h real)) (b3 : array h real)
    : array h (array h real) * array h real * array h (array h real) * array h real * array h (array h real) * array h real :=
  (gradMatrix (fun v => loss x y v b1 w2 b2 w3 b3) w1, grad (fun v => loss x y w1 v w2 b2 w3 b3) b1,
    gradMatrix (fun v => loss x y w1 b1 v b2 w3 b3) w2, grad (fun v => loss x y w1 b1 w2 v w3 b3) b2,
    gradMatrix (fun v => loss x y w1 b1 w2 b2 v b3) w3, grad (fun v => loss x y w1 b1 w2 b2 w3 v) b3)
