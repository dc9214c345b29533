-- models/vector_sum.arr: a sum and its gradient
def total {n} (v : array n real) : real :=
  ifold n (fun acc i => acc + v[i]) 0

def gradient {n} (v : array n real) : array n real :=
  grad total v
