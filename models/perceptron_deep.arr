-- models/perceptron_deep.arr: two hidden layers of g and h neurons and o outputs, at n examples with d inputs each, and
-- the sum of squared errors
def layer {m k} (w : array k (array m real)) (b : array k real) (x : array m real) : array k real :=
  build k (fun i => tanh (ifold m (fun sum j => sum + w[i][j] * x[j]) 0 + b[i]))

def loss {n d g h o} (x : array n (array d real)) (y : array n (array o real))
    (w1 : array g (array d real)) (b1 : array g real) (w2 : array h (array g real)) (b2 : array h real)
    (w3 : array o (array h real)) (b3 : array o real) : real :=
  ifold n (fun acc i =>
    let first := layer w1 b1 x[i];
    let second := layer w2 b2 first;
    acc + ifold o (fun sum k =>
      let r := ifold h (fun sum j => sum + w3[k][j] * second[j]) 0 + b3[k] - y[i][k];
      sum + r * r) 0) 0

-- By the weights and biases of each layer.
def gradientW1 {n d g h o} (x : array n (array d real)) (y : array n (array o real))
    (w1 : array g (array d real)) (b1 : array g real) (w2 : array h (array g real)) (b2 : array h real)
    (w3 : array o (array h real)) (b3 : array o real) : array g (array d real) :=
  gradMatrix (fun w => loss x y w b1 w2 b2 w3 b3) w1

def gradientB1 {n d g h o} (x : array n (array d real)) (y : array n (array o real))
    (w1 : array g (array d real)) (b1 : array g real) (w2 : array h (array g real)) (b2 : array h real)
    (w3 : array o (array h real)) (b3 : array o real) : array g real :=
  grad (fun b => loss x y w1 b w2 b2 w3 b3) b1

def gradientW2 {n d g h o} (x : array n (array d real)) (y : array n (array o real))
    (w1 : array g (array d real)) (b1 : array g real) (w2 : array h (array g real)) (b2 : array h real)
    (w3 : array o (array h real)) (b3 : array o real) : array h (array g real) :=
  gradMatrix (fun w => loss x y w1 b1 w b2 w3 b3) w2

def gradientB2 {n d g h o} (x : array n (array d real)) (y : array n (array o real))
    (w1 : array g (array d real)) (b1 : array g real) (w2 : array h (array g real)) (b2 : array h real)
    (w3 : array o (array h real)) (b3 : array o real) : array h real :=
  grad (fun b => loss x y w1 b1 w2 b w3 b3) b2

def gradientW3 {n d g h o} (x : array n (array d real)) (y : array n (array o real))
    (w1 : array g (array d real)) (b1 : array g real) (w2 : array h (array g real)) (b2 : array h real)
    (w3 : array o (array h real)) (b3 : array o real) : array o (array h real) :=
  gradMatrix (fun w => loss x y w1 b1 w2 b2 w b3) w3

def gradientB3 {n d g h o} (x : array n (array d real)) (y : array n (array o real))
    (w1 : array g (array d real)) (b1 : array g real) (w2 : array h (array g real)) (b2 : array h real)
    (w3 : array o (array h real)) (b3 : array o real) : array o real :=
  grad (fun b => loss x y w1 b1 w2 b2 w3 b) b3

-- By all of them, in one program.
def gradient {n d g h o} (x : array n (array d real)) (y : array n (array o real))
    (w1 : array g (array d real)) (b1 : array g real) (w2 : array h (array g real)) (b2 : array h real)
    (w3 : array o (array h real)) (b3 : array o real)
    : array g (array d real) * array g real * array h (array g real) * array h real
      * array o (array h real) * array o real :=
  (gradMatrix (fun w => loss x y w b1 w2 b2 w3 b3) w1, grad (fun b => loss x y w1 b w2 b2 w3 b3) b1,
    gradMatrix (fun w => loss x y w1 b1 w b2 w3 b3) w2, grad (fun b => loss x y w1 b1 w2 b w3 b3) b2,
    gradMatrix (fun w => loss x y w1 b1 w2 b2 w b3) w3, grad (fun b => loss x y w1 b1 w2 b2 w3 b) b3)
