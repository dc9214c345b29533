-- error E0101 at 2:43
def f (p : real * real) : real := let (a, a) := p; a
