-- error E0104 at 2:8
def f (exp : real) : real := exp
