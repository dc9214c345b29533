-- error E0201 at 2:40
def f {n} (v : array n real) : real := vectorAdd v v
