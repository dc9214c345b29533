-- error E0201 at 2:55
def whole {n >= 1} (v : array n real) : real := cumsum(v)[n - 1]
