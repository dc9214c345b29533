-- models/elastic_net.arr: logistic regression with both penalties, by absolute values and by squares
def loss {n d} (x : array n (array d real)) (y : array n real) (a b : real) (w : array d real) : real :=
  ifold n (fun acc i =>
    let z := ifold d (fun sum j => sum + x[i][j] * w[j]) 0;
    acc + (softplus z - y[i] * z)) 0
    + a * ifold d (fun sum j => sum + (if w[j] < 0 then -w[j] else w[j])) 0
    + b * ifold d (fun sum j => sum + w[j] * w[j]) 0

def gradient {n d} (x : array n (array d real)) (y : array n real) (a b : real) (w : array d real) : array d real :=
  grad (loss x y a b) w
