-- error E0201 at 2:53
def f {n} (v : array n real) (c : real) : real := v[c else 0]
