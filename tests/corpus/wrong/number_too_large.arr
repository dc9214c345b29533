-- error E0103 at 2:17
def f : real := 1e999
