-- error E0211 at 14:26
-- A type that names 2^11 reals.
def d0 (x : real) := (x, x)
def d1 (x : real) := let y := d0 x; (y, y)
def d2 (x : real) := let y := d1 x; (y, y)
def d3 (x : real) := let y := d2 x; (y, y)
def d4 (x : real) := let y := d3 x; (y, y)
def d5 (x : real) := let y := d4 x; (y, y)
def d6 (x : real) := let y := d5 x; (y, y)
def d7 (x : real) := let y := d6 x; (y, y)
def d8 (x : real) := let y := d7 x; (y, y)
def d9 (x : real) := let y := d8 x; (y, y)
def d10 (x : real) := let y := d9 x; (y, y)
def slopes (x : real) := directional d10 x 1
