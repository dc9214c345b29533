-- error E0301 at 2:28
def f (x : real) : real := asinh x
