-- error E0302 at 2:36
def power (x : real) : real := x * power x
