-- error E0201 at 3:59
def total {n} (v : array n int) : int := ifold n (fun acc i => acc + v[i]) 0
def gradient {n} (v : array n int) : array n real := grad total v
