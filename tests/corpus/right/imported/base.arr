def base (x : real) : real := x + 1
def shared (x : real) : real := x * 2
