-- error E0201 at 2:71
def f {n m} (k : array m int) : array n real := scatter n m (fun e => k[e])
