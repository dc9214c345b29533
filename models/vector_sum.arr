-- models/vector_sum.arr: a sum and its gradient, the example of the paper (Böhler, Richter, Mezini, FTfJP 2023)
def total {n} (v : array n real) : real :=
  ifold n (fun acc i => acc + v[i]) 0

def gradient {n} (v : array n real) : array n real :=
  grad total v
