-- error E0203 at 2:70
def f {n m} (v : array n real) : array m real := build m (fun i => v[i])
