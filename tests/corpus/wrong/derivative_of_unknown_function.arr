-- error E0212 at 2:44
def f (c : int) (x : real) : real := deriv (if c then sin else cos) x
