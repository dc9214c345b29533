-- error E0101 at 2:7
def f x : real := x
