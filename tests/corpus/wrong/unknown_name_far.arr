-- error E0301 at 2:32
def f (x : real) : real := x + momentum
