-- error E0301 at 2:85
def f {n} (v : array n real) (c : int) : real := if k : fin n := c then 1 else real k
