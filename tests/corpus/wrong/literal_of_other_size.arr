-- error E0201 at 2:25
def f : array 3 real := [1, 2]
