-- error E0214 at 2:46
def final {n} (v : array n real) : real := v[n - 1]
