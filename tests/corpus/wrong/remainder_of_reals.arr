-- error E0205 at 2:29
def f (x : real) : real := (x % 2)
