-- models/cox.arr: the negative logarithm of Cox's partial likelihood of n survival times with d covariates: who is at risk when
-- i dies lives at least as long
def loss {n d} (x : array n (array d real)) (time event : array n real) (w : array d real) : real :=
  let risk := build n (fun i => ifold d (fun sum j => sum + x[i][j] * w[j]) 0);
  ifold n (fun acc i =>
    acc + event[i] * (log (ifold n (fun sum j => sum + (if time[i] <= time[j] then exp risk[j] else 0)) 0) - risk[i])) 0

def gradient {n d} (x : array n (array d real)) (time event : array n real) (w : array d real) : array d real :=
  grad (loss x time event) w
