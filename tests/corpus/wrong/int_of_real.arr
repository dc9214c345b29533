-- error E0205 at 2:31
def f (x : real) : int := int x
