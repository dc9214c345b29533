-- error E0207 at 2:39
def f (x : real) : real := vectorSum (vectorFill x)
