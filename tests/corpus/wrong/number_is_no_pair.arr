-- error E0201 at 2:35
def f (x : real) : real * real := x
