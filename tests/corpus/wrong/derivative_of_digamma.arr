-- error E0211 at 2:29
def f (x : real) : real := (D digamma (x, 1)).2
