-- error E0205 at 2:28
def f (a b : int) : int := a / b
