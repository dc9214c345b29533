-- models/matrix_factorisation.arr: an n × m matrix a approached by the product of an n × k and a k × m matrix, and the
-- sum of squared errors, as in recommender systems
def loss {n k m} (a : array n (array m real)) (u : array n (array k real)) (v : array k (array m real)) : real :=
  ifold n (fun acc i => acc + ifold m (fun sum j =>
    let r := a[i][j] - ifold k (fun p l => p + u[i][l] * v[l][j]) 0;
    sum + r * r) 0) 0

-- By the left factor, by the right one, and by both.
def gradientLeft {n k m} (a : array n (array m real)) (u : array n (array k real)) (v : array k (array m real))
    : array n (array k real) :=
  gradMatrix (fun w => loss a w v) u

def gradientRight {n k m} (a : array n (array m real)) (u : array n (array k real)) (v : array k (array m real))
    : array k (array m real) :=
  gradMatrix (fun w => loss a u w) v

def gradient {n k m} (a : array n (array m real)) (u : array n (array k real)) (v : array k (array m real))
    : array n (array k real) * array k (array m real) :=
  (gradMatrix (fun w => loss a w v) u, gradMatrix (fun w => loss a u w) v)
