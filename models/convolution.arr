-- models/convolution.arr: k filters of m taps over a signal, a ramp over each result, their mean as features, and a linear
-- read-out; the squared error of n signals
def features {l m k} (taps : array k (array m real)) (signal : array (l + m) real) : array k real :=
  build k (fun c => ifold l (fun sum i =>
    let z := ifold m (fun acc j => acc + taps[c][j] * signal[i + j]) 0;
    sum + (if z < 0 then 0 else z)) 0 / real l)

def loss {n l m k} (x : array n (array (l + m) real)) (y : array n real) (taps : array k (array m real))
    (w : array k real) : real :=
  ifold n (fun acc i =>
    let f := features taps x[i];
    let r := ifold k (fun sum c => sum + w[c] * f[c]) 0 - y[i];
    acc + r * r) 0

-- By the taps and the read-out.
def gradient {n l m k} (x : array n (array (l + m) real)) (y : array n real) (taps : array k (array m real))
    (w : array k real) : array k (array m real) * array k real :=
  (gradMatrix (fun v => loss x y v w) taps, grad (fun v => loss x y taps v) w)
