-- error E0303 at 2:19
def f (x : real) (x : int) : real := x
