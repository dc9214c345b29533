-- error E0204 at 2:46
def first {n} (v : array n real) : real := v[0]
