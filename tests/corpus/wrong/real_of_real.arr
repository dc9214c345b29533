-- error E0205 at 2:33
def f (x : real) : real := real x
