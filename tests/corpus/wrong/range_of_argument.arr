-- error E0214 at 3:76
def at {n} (v : array n real) (i : fin n) : real := v[i]
def beside {n} (v : array n real) : array n real := build n (fun i => at v (i * 2))
