-- error E0201 at 2:31
def f (x : real) : int := not x
