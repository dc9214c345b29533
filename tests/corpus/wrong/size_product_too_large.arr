-- error E0209 at 2:26
def f (x : real) : array (9223372036854775807 * 2) real := vectorFill x
