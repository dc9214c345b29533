-- error E0201 at 4:36
-- error E0202 at 5:28
-- Each wrong definition has its own finding.
def f (x : real) : array 2 real := x
def g (x : real) : real := x x
