-- error E0304 at 2:42
def f (x : real) : array 3 real := build n (fun i => x)
