-- error E0201 at 2:76
def f {n m} (k : array m (fin n)) : array n real := scatter n m (fun e => (k[e], 1))
