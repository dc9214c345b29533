-- error E0304 at 2:12
def f (x : a) : real := 1
