-- error E0104 at 2:5
def build (x : real) : real := x
