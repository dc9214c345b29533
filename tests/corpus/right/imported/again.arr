def base (y : real) : real := y + 1
