-- error E0101 at 2:31
def f (x : real) : real := x *
