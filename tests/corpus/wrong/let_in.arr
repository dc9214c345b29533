-- error E0101 at 2:64
def area (r : real) : real := let square := r * r in 3 * square
