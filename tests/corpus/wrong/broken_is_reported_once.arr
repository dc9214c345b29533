-- error E0301 at 3:28
-- What uses a wrong definition is silent.
def f (x : real) : real := missing x
def g (x : real) : real := f x + f x
def h (x : real) : real := g x
