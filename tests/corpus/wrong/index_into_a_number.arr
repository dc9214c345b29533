-- error E0210 at 2:28
def f (x : real) : real := x[0]
