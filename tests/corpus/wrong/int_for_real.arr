-- error E0201 at 2:42
def f (k : int) (x : real) : real := sin k
