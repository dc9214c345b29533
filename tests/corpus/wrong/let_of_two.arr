-- error E0101 at 2:45
def gap (ends : real * real) : real := let a, b := ends; b - a
