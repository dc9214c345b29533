-- error E0205 at 2:36
def f (x y : real) : real := pow x y
