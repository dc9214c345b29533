-- error E0201 at 2:31
def f (x : real) : real := if x then 1 else 2
