-- error E0303 at 3:5
def f (x : real) : real := x
def f (x : real) : real := x + 1
