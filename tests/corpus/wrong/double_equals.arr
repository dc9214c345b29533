-- error E0101 at 2:29
def f (x : real) : int := x == 1
