-- error E0205 at 2:73
def f {n m} (k : array m int) (v : real -> real) : real := (scatter 3 m (fun e => (k[e], v)))[0] 1
