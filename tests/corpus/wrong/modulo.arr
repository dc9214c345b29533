-- error E0101 at 2:28
def f (k : int) : int := k % 2
