-- error E0205 at 2:34
def f (p : real * real) : int := p < p
