-- error E0214 at 2:61
def column {n m} (v : array m real) (i : fin n) : real := v[i % m]
