-- error E0201 at 2:52
def f {n} (v : array n real) (k : int) : real := v[k]
