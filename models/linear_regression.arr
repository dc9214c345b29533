-- models/linear_regression.arr: values y predicted from the rows of x with weights w and a bias b: the sum of squared
-- errors
def loss {n d} (x : array n (array d real)) (y : array n real) (w : array d real) (b : real) : real :=
  ifold n (fun acc i =>
    let r := ifold d (fun sum j => sum + w[j] * x[i][j]) 0 + b - y[i];
    acc + r * r) 0

-- By the weights, by the bias, and by both.
def gradientWeights {n d} (x : array n (array d real)) (y : array n real) (w : array d real) (b : real)
    : array d real :=
  grad (fun u => loss x y u b) w

def gradientBias {n d} (x : array n (array d real)) (y : array n real) (w : array d real) (b : real) : real :=
  deriv (loss x y w) b

def gradient {n d} (x : array n (array d real)) (y : array n real) (w : array d real) (b : real)
    : array d real * real :=
  (grad (fun u => loss x y u b) w, deriv (loss x y w) b)
