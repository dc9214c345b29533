-- models/log_sum_exp.arr: a smooth maximum; its gradient is the softmax of v
def smoothMaximum {n >= 1} (v : array n real) : real :=
  logSumExp v

def gradient {n >= 1} (v : array n real) : array n real :=
  grad smoothMaximum v
