-- error E0201 at 2:48
def f (c : int) (x : real) := if c then x else [x]
