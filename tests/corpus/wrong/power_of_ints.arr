-- error E0205 at 2:35
def f (x : real) (k : int) := x ^ k
