-- error E0212 at 2:8
def f (fs : array 2 (real -> real)) (x : real) : real := deriv fs[0] x
