-- error E0204 at 2:18
def f : fin 2 := 2
