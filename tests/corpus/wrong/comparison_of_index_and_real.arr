-- error E0205 at 2:61
def f {n} (x : real) : array n int := build n (fun i => i < x)
