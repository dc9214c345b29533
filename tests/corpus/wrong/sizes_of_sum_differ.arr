-- error E0201 at 3:54
def g {n m} (v : array (n + m) real) : real := vectorSum v
def f {n} (v : array (n + 1) real) : array n real := v
