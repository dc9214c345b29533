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

-- GradBench's `llsq` fits the sign function on a grid from -1 to 1. The number of points, at least 2, is given as a
-- size: `redexter eval models/least_squares.arr:signLoss --size n=16 --input '{"x": [0, 1]}'`.
def grid {n} : array n real :=
  build n (fun i => 2 * real i / (real n - 1) - 1)

def sign (x : real) : real :=
  if x < 0 then -1 else if x = 0 then 0 else 1

def signLoss {n >= 2} {m} (x : array m real) : real :=
  let t : array n real := grid;
  loss t (vectorMap t sign) x

def gradientSign {n >= 2} {m} (x : array m real) : array m real :=
  let t : array n real := grid;
  lossGrad loss t (vectorMap t sign) x
