-- error E0301 at 2:28
def g (x : real) : real := h x
def h (x : real) : real := x
