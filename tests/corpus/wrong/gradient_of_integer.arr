-- error E0201 at 3:60
def count {n} (v : array n real) : int := ifold n (fun acc i => if v[i] > 0 then acc + 1 else acc) 0
def gradient {n} (v : array n real) : array n real := grad count v
