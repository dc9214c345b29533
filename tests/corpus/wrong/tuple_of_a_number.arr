-- error E0210 at 2:33
def f (x : real) : real := let (a, b) := x; a + b
