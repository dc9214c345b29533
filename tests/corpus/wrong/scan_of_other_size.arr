-- error E0201 at 2:55
def f {n} (v : array n real) : real * array n real := scan (n + 1) (fun s i => (s, s)) 0
