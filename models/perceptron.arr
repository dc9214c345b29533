-- models/perceptron.arr: one hidden layer of h neurons and one output, at n examples with d inputs each, and the sum of
-- squared errors
def predict {d h} (w1 : array h (array d real)) (b1 : array h real) (w2 : array h real) (b2 : real) (x : array d real)
    : real :=
  let hidden := build h (fun k => tanh (ifold d (fun sum j => sum + w1[k][j] * x[j]) 0 + b1[k]));
  ifold h (fun sum k => sum + w2[k] * hidden[k]) 0 + b2

def loss {n d h} (x : array n (array d real)) (y : array n real)
    (w1 : array h (array d real)) (b1 : array h real) (w2 : array h real) (b2 : real) : real :=
  ifold n (fun acc i =>
    let r := predict w1 b1 w2 b2 x[i] - y[i];
    acc + r * r) 0

-- By the weights and biases of the hidden layer, and by those of the output.
def gradientW1 {n d h} (x : array n (array d real)) (y : array n real)
    (w1 : array h (array d real)) (b1 : array h real) (w2 : array h real) (b2 : real) : array h (array d real) :=
  gradMatrix (fun w => loss x y w b1 w2 b2) w1

def gradientB1 {n d h} (x : array n (array d real)) (y : array n real)
    (w1 : array h (array d real)) (b1 : array h real) (w2 : array h real) (b2 : real) : array h real :=
  grad (fun b => loss x y w1 b w2 b2) b1

def gradientW2 {n d h} (x : array n (array d real)) (y : array n real)
    (w1 : array h (array d real)) (b1 : array h real) (w2 : array h real) (b2 : real) : array h real :=
  grad (fun w => loss x y w1 b1 w b2) w2

def gradientB2 {n d h} (x : array n (array d real)) (y : array n real)
    (w1 : array h (array d real)) (b1 : array h real) (w2 : array h real) (b2 : real) : real :=
  deriv (fun b => loss x y w1 b1 w2 b) b2

-- By all of them, in one program.
def gradient {n d h} (x : array n (array d real)) (y : array n real)
    (w1 : array h (array d real)) (b1 : array h real) (w2 : array h real) (b2 : real)
    : array h (array d real) * array h real * array h real * real :=
  (gradMatrix (fun w => loss x y w b1 w2 b2) w1, grad (fun b => loss x y w1 b w2 b2) b1,
    grad (fun w => loss x y w1 b1 w b2) w2, deriv (fun b => loss x y w1 b1 w2 b) b2)
