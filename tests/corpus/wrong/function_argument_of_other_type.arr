-- error E0201 at 2:70
def f {n} (v : array n real) : array n real := vectorMap v (fun (k : int) => k)
