-- models/autoencoder.arr: n examples of d numbers through a code of h and back; the sum of squared errors
def loss {n d h} (x : array n (array d real)) (u : array h (array d real)) (b : array h real) (v : array d (array h real))
    (c : array d real) : real :=
  ifold n (fun acc i =>
    let code := build h (fun k => tanh (ifold d (fun sum j => sum + u[k][j] * x[i][j]) 0 + b[k]));
    acc + ifold d (fun sum j =>
      let r := ifold h (fun s k => s + v[j][k] * code[k]) 0 + c[j] - x[i][j];
      sum + r * r) 0) 0

-- By the weights and biases of both ways.
def gradient {n d h} (x : array n (array d real)) (u : array h (array d real)) (b : array h real)
    (v : array d (array h real)) (c : array d real)
    : array h (array d real) * array h real * array d (array h real) * array d real :=
  (gradMatrix (fun p => loss x p b v c) u, grad (fun p => loss x u p v c) b, gradMatrix (fun p => loss x u b p c) v,
    grad (fun p => loss x u b v p) c)
