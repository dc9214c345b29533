-- error E0101 at 2:33
def f (x : real) : int := 0 < x < 1
