-- error E0214 at 2:73
def stride {n} (v : array n real) : array n real := build n (fun i => v[2 * i])
