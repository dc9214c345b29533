-- models/dot.arr: a scalar product and its gradients, each of which is the other vector
def dot {n} (v w : array n real) : real :=
  ifold n (fun acc i => acc + v[i] * w[i]) 0

-- By the first vector: w is a constant.
def gradient {n} (v w : array n real) : array n real :=
  grad (fun u => dot u w) v

-- By the second: `dot v` is the function of it alone.
def gradientSecond {n} (v w : array n real) : array n real :=
  grad (dot v) w
