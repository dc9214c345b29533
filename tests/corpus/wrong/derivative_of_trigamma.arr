-- error E0211 at 2:29
def f (x : real) : real := (D trigamma (x, 1)).2
