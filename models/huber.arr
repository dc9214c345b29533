-- models/huber.arr: regression with Huber's loss, which is a parabola near 0 and straight beyond delta
def loss {n d} (x : array n (array d real)) (y : array n real) (delta : real) (w : array d real) : real :=
  ifold n (fun acc i =>
    let r := ifold d (fun sum j => sum + x[i][j] * w[j]) 0 - y[i];
    acc + (if r < -delta then -delta * (r + 0.5 * delta) else if r > delta then delta * (r - 0.5 * delta) else 0.5 * r * r)) 0

def gradient {n d} (x : array n (array d real)) (y : array n real) (delta : real) (w : array d real) : array d real :=
  grad (loss x y delta) w
