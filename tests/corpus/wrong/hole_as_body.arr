-- error E0101 at 2:68
def grad {q : type} (f : q -> real) (v : array 2 q) : array 2 q := _
