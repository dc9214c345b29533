-- error E0201 at 2:29
def f (x : real) : real := (x : int)
