-- error E0304 at 2:18
def f (v : array n real) : real := vectorSum v
