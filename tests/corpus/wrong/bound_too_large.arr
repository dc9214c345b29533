-- error E0209 at 2:13
def f {n >= 99999999999999999999} (v : array n real) : real := 1
