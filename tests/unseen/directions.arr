-- Derivatives in one direction: what D does of itself, and of gradients.

def layer {p q} (w : array q (array p real)) (x : array p real) : array q real :=
  build q (fun i => tanh (ifold p (fun s j => s + w[i][j] * x[j]) 0))

-- 1. How all results of three layers change in a direction.
def net {a b c o} (w1 : array b (array a real)) (w2 : array c (array b real)) (w3 : array o (array c real))
    (v x : array a real) : array o real :=
  layer w3 (layer w2 (layer w1 x))

def netDirection {a b c o} (w1 : array b (array a real)) (w2 : array c (array b real)) (w3 : array o (array c real))
    (v x : array a real) : array o real :=
  let both := D (net w1 w2 w3 v) (zip x v);
  build o (fun i => snd both[i])

-- 2. The same as all rates times a vector.
def rates {a b c o} (w1 : array b (array a real)) (w2 : array c (array b real)) (w3 : array o (array c real))
    (v x : array a real) : array o real :=
  layer w3 (layer w2 (layer w1 x))

def ratesDirection {a b c o} (w1 : array b (array a real)) (w2 : array c (array b real)) (w3 : array o (array c real))
    (v x : array a real) : array o real :=
  let all := jacobian (rates w1 w2 w3 v) x;
  build o (fun i => ifold a (fun s j => s + all[j][i] * v[j]) 0)

-- 3. How the gradient of two layers' squares changes in a direction: a Hessian times a vector.
def squares {a b c} (w1 : array b (array a real)) (w2 : array c (array b real)) (v x : array a real) : real :=
  let z := layer w2 (layer w1 x);
  ifold c (fun s i => s + z[i] * z[i]) 0

def squaresDirection {a b c} (w1 : array b (array a real)) (w2 : array c (array b real)) (v x : array a real)
    : array a real :=
  let both := D (fun y => grad (squares w1 w2 v) y) (zip x v);
  build a (fun i => snd both[i])

-- 4. The same of a logistic loss.
def logistic {n d} (x : array n (array d real)) (v w : array d real) : real :=
  ifold n (fun s i => s + log (1 + exp (ifold d (fun a j => a + w[j] * x[i][j]) 0))) 0

def logisticDirection {n d} (x : array n (array d real)) (v w : array d real) : array d real :=
  let both := D (fun u => grad (logistic x v) u) (zip w v);
  build d (fun j => snd both[j])

-- 5. The same of pairs of bodies that pull at each other.
def bodies {n} (v x : array n real) : real :=
  ifold n (fun s i => s + ifold n (fun t j => t + 1 / (1 + (x[i] - x[j]) * (x[i] - x[j]))) 0) 0

def bodiesDirection {n} (v x : array n real) : array n real :=
  let both := D (fun y => grad (bodies v) y) (zip x v);
  build n (fun i => snd both[i])
