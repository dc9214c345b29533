-- error E0105 at 2:32
def less (x : real) : real := x--1
