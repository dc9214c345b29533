-- error E0201 at 3:82
def pick {n} (v : array n real) (i : fin n) : real := v[i]
def gradient {n} (v : array n real) (i : fin n) : real := deriv (fun k => pick v k) i
