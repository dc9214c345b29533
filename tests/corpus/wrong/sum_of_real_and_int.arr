-- error E0201 at 2:42
def f (x : real) (k : int) : real := x + k
