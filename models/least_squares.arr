-- models/least_squares.arr: a polynomial with coefficients x fitted to values s at points t,
-- half the sum of (s[i] - Σ_j x[j] * t[i]^j)²
def loss {n m} (t s : array n real) (x : array m real) : real :=
  0.5 * (ifold n (fun acc i =>
    let value := ifold m (fun p j => p + x[j] * pow t[i] j) 0;
    let r := s[i] - value;
    acc + r * r) 0)

-- By the coefficients: the points and values are constants.
def gradient {n m} (t s : array n real) (x : array m real) : array m real :=
  lossGrad loss t s x
