-- error E0205 at 2:50
def f {n} (v w : array n real) : array n real := v + w
