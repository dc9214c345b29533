-- error E0210 at 2:42
def first (ends : real * real) : real := ends[0]
