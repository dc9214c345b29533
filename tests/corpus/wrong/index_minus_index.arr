-- error E0205 at 2:53
def f {n} : array n real := build n (fun i => real (i - 1))
