-- error E0202 at 3:32
def g (x : real) : real := x
def f (x : real) : real := g x 2
