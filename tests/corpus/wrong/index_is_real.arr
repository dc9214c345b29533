-- error E0201 at 2:53
def f {n} (v : array n real) (x : real) : real := v[x]
