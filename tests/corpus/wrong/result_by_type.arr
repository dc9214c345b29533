-- error E0211 at 3:38
def twice (x : real) : real * int := (x * x, 2)
def rates (x : real) : real * int := directional twice x 1
