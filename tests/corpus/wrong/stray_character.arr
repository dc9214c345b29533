-- error E0101 at 2:30
def f (x : real) : real := x $ 1
