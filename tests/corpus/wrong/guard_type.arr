-- error E0201 at 2:57
def f {n} (v : array n real) (c : int) : real := if k : real := c then v[k] else 1
