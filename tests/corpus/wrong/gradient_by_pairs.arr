-- error E0211 at 3:71
def loss {n} (v : array n (real * int)) : real := ifold n (fun acc i => acc + fst v[i] * real (snd v[i])) 0
def gradient {n} (v : array n (real * int)) : array n (real * int) := grad loss v
