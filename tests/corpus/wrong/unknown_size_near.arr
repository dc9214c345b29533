-- error E0304 at 2:25
def f {rows} (v : array row real) : real := vectorSum v
