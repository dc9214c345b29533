-- error E0214 at 4:5
def moved {n} (v : array n real) (i : fin n) : real :=
  let k := n - i;
  v[k]
