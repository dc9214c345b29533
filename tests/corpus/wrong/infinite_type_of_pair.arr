-- error E0208 at 2:37
def f {n} := ifold n (fun acc i => (acc, i)) 0
