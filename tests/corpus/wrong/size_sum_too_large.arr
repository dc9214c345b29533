-- error E0209 at 2:18
def f (v : array (9223372036854775807 + 1) real) : real := 1
