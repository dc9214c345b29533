-- error E0203 at 3:41
def f {n m} (a : array n (array m real)) : array m (array n real) :=
  build m (fun j => build n (fun i => a[j][i]))
