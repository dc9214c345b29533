-- error E0304 at 2:12
def f (x : float) : real := 1
