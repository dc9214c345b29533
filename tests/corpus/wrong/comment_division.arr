-- error E0105 at 5:19
-- error E0105 at 9:36
def half {n} (v : array n real) (k : real) : array n real :=
  build n (fun i =>
    let y := v[i] // k
    ; y)

def other (x : real) : real := x // no name
def ratio (x y : real) : real := x // (y + 1)
