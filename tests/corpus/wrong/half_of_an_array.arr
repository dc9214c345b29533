-- error E0210 at 2:36
def f (v : array 2 real) : real := v.1
