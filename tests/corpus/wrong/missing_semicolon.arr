-- error E0101 at 3:13
def f (x : real) : real :=
  let y := x
  y
