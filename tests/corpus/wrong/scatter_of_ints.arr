-- error E0205 at 2:60
def f {n m} (k : array m int) : array n int := scatter n m (fun e => (k[e], 1))
