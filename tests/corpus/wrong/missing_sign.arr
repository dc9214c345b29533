-- error E0101 at 2:25
def f (x : real) : real = x
