-- error E0304 at 2:61
def f {n} (v : array n real) : real * array n real := scanr (v[0]) (fun s i => (s, s)) 0
