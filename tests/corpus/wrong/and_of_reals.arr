-- error E0201 at 2:29
def f (x y : real) : int := x && y < 0
