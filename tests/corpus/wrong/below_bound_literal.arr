-- error E0206 at 2:37
def f (v : array 0 real) : fin 0 := argmax v
