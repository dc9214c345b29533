-- error E0206 at 3:45
def mean {n >= 2} (v : array n real) : real := vectorSum v / real n
def f {n >= 1} (v : array n real) : real := mean v
