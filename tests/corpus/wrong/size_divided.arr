-- error E0101 at 2:44
def half {n} (v : array n real) : array (n / 2) real := build (n / 2) (fun i => v[2 * i])
