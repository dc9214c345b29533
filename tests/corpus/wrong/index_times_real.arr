-- error E0205 at 2:58
def f {n} (x : real) : array n real := build n (fun i => i * x)
