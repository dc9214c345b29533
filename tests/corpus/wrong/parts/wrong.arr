def g (x : real) : int := x
