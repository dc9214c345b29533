-- error E0205 at 2:71
def f {n} (x : real) : array n real := build n (fun i => real i + x - i)
