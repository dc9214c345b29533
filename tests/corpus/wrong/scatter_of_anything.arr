-- error E0205 at 2:85
def f {n m} {a : type} (k : array m int) (v : array m a) : array n a := scatter n m (fun e => (k[e], v[e]))
