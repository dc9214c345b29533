-- error E0201 at 2:55
def f (c : int) (x : real) : real := if c then x else (x, x)
