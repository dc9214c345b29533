-- error E0204 at 2:51
def third {n >= 2} (v : array n real) : real := v[2]
