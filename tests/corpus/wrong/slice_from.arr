-- error E0101 at 2:60
def tail {n} (v : array (n + 1) real) : array n real := v[1:]
