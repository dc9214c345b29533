-- error E0101 at 3:1
def f (x : real) : real := (x + 1
def g (x : real) : real := x
