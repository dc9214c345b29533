-- error E0201 at 4:43
def first {n} (v : array (n + 1) real) : real := v[0]

def of (v : array 0 real) : real := first v
