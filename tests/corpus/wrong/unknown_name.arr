-- error E0301 at 4:3
-- The prelude's name is nearly this one.
def total {n} (v : array n real) : real :=
  vectorSun v
