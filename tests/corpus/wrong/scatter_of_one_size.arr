-- error E0304 at 2:59
def f {n m} (k : array m int) : array n real := scatter n (fun e => (k[e], 1))
