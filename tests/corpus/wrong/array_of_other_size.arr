-- error E0201 at 2:67
def f (v : array 2 real) (w : array 3 real) : real := vectorDot v w
