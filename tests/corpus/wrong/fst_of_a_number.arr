-- error E0210 at 2:32
def f (x : real) : real := fst x
