-- error E0201 at 2:74
def f {n} (v : array n real) : real * array n real := scan n (fun s i => s + v[i]) 0
