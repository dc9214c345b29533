-- error E0201 at 2:73
def before {n} (v : array n real) : array n real := build n (fun i => v[(i - 1) % n])
