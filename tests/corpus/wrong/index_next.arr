-- error E0214 at 2:68
def f {n} (v : array n real) : array n real := build n (fun i => v[i + 1])
