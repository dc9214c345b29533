-- error E0201 at 3:69
def loss {n} (v : array n (real * real)) : real := ifold n (fun acc i => acc + fst v[i] * snd v[i]) 0
def gradient {n} (v : array n (real * real)) : array n real := grad loss v
