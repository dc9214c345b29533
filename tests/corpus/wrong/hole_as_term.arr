-- error E0101 at 2:17
def f : real := _
