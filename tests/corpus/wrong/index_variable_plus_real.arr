-- error E0205 at 2:84
def f {n} (v : array n real) (x : real) : real := ifold n (fun acc i => acc + (i + x)) 0
