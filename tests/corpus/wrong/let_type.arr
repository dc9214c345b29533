-- error E0201 at 2:43
def f (x : real) : real := let y : int := x; 2
