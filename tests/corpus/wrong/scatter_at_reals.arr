-- error E0201 at 2:73
def f {n m} (k : array m real) : array n real := scatter n m (fun e => (k[e], 1))
