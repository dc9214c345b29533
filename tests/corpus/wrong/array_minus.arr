-- error E0205 at 2:53
def away {n} (v w : array n real) : array n real := v - w
