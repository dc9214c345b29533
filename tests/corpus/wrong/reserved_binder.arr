-- error E0104 at 2:32
def f (x : real) : real := let type := x; x
