-- error E0210 at 2:35
def f (p : real * real) : real := p.3
