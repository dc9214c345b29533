-- error E0201 at 2:56
def given {n} (v : array n real) (k : int) : real := v[k + 1]
