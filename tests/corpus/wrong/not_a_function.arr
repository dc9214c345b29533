-- error E0202 at 2:28
def f (x : real) : real := x x
