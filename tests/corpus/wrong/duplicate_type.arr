-- error E0303 at 2:19
def f {a : type} {a : type} (x : a) : a := x
