-- error E0101 at 2:38
def f (c : int) : real := if c then 1
