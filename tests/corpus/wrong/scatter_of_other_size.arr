-- error E0201 at 2:49
def f {n m} (k : array m int) : array m real := scatter n m (fun e => (k[e], 1))
