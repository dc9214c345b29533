-- error E0201 at 3:49
def apply (f : real -> real) : real := f 1
def gradient (g : real -> real) : real := deriv apply g
