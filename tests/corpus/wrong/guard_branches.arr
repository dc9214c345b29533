-- error E0201 at 2:61
def f {n} (v : array n real) (c k : int) : real := v[c else k]
