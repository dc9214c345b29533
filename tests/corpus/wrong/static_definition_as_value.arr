-- error E0213 at 2:34
def f (x : real) := (fun d => x) deriv
