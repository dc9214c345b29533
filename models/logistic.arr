-- models/logistic.arr: logistic regression of labels y (0 or 1) on the rows of x, with weights w:
-- the negative log-likelihood, for scores of any size
def loss {n m} (x : array n (array m real)) (y : array n real) (w : array m real) : real :=
  ifold n (fun acc i =>
    let score := vectorDot x[i] w;
    acc + (softplus score - y[i] * score)) 0

def gradient {n m} (x : array n (array m real)) (y : array n real) (w : array m real) : array m real :=
  grad (fun u => loss x y u) w
