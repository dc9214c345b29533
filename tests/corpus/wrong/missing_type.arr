-- error E0101 at 2:9
def f (x) : real := 1
