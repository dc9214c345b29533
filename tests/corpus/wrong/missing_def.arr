-- error E0101 at 2:1
f (x : real) : real := x
