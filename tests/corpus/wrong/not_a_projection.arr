-- error E0101 at 2:36
def f (p : real * real) : real := p.0
