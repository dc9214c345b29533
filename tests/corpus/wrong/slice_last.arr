-- error E0103 at 2:42
def end {n >= 1} (v : array n real) := v[-1]
