-- error E0210 at 2:66
def f {n} (v : array n real) : array n real := build n (fun i => v[i][i])
