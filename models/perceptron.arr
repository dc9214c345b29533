-- models/perceptron.arr: one hidden layer of h neurons with m inputs each, and the squared error at one example
def predict {m h} (hidden : array h (array m real)) (out : array h real) (x : array m real) : real :=
  ifold h (fun acc i => acc + out[i] * tanh (vectorDot hidden[i] x)) 0

def loss {m h} (hidden : array h (array m real)) (out : array h real) (x : array m real) (y : real) : real :=
  let r := predict hidden out x - y;
  r * r

-- By the weights of the hidden layer.
def gradientHidden {m h} (hidden : array h (array m real)) (out : array h real) (x : array m real) (y : real)
    : array h (array m real) :=
  gradMatrix (fun w => loss w out x y) hidden

-- By the weights of the output.
def gradientOut {m h} (hidden : array h (array m real)) (out : array h real) (x : array m real) (y : real)
    : array h real :=
  grad (fun w => loss hidden w x y) out
