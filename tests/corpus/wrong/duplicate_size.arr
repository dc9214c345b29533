-- error E0303 at 2:14
def f {n} {m n} (v : array n real) : array m real := vectorFill 0
