-- error E0206 at 2:40
def f {n} (v : array n real) : real := vectorMax v
