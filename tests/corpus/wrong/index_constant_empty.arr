-- error E0204 at 2:38
def f (v : array 0 real) : real := v[0]
