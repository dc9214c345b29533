-- error E0201 at 2:50
def f {n} (v : array n real) : real := vectorSum v[0]
