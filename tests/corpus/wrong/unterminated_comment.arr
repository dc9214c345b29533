-- error E0102 at 3:1
def f : real := 1
/- The rest /- is inside -/
def g : real := 2
