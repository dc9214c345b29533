-- error E0215 at 3:50
def squares {n} (x : array n real) : array n real :=
  pull (fun d => build n (fun i => x[i] * d[i] * d[i])) x
