-- error E0101 at 2:45
def steps {n} (v : array n real) : array (n - 1) real := build (n - 1) (fun i => v[i + 1] - v[i])
