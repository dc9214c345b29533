-- error E0201 at 3:28
def g (x y : real) : real := x + y
def f (x : real) : real := g x
