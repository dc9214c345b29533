-- error E0215 at 2:67
def through {n} (f : array n real -> real) : array n real := pull f 1
