-- error E0205 at 2:49
def f {n} (v : array n real) : array n real := -v
