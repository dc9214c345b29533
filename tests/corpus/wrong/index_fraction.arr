-- error E0201 at 2:38
def f (v : array 3 real) : real := v[1.5]
