-- error E0211 at 3:28
def g (x : real) : real := trigamma x
def f (x : real) : real := deriv g x
