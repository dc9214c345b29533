-- error E0202 at 2:34
def f (x : real) : real := exp x x
