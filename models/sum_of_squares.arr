-- models/sum_of_squares.arr: a loss with a gradient (2 v) and a second derivative (2 on the diagonal)
def loss {n} (v : array n real) : real :=
  ifold n (fun acc i => acc + v[i] * v[i]) 0

def gradient {n} (v : array n real) : array n real :=
  grad loss v

-- The Jacobian of the gradient: D of a term with D in it.
def hessian {n} (v : array n real) : array n (array n real) :=
  jacobian (grad loss) v
