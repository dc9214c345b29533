-- error E0101 at 2:38
def back {n} (v : array n real) := v[::-1]
