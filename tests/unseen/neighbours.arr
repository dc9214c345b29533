-- Gradients of losses that combine an element with its neighbour under a guard, and of tables that are filled in one place at a time.

-- 1. Neighbours that are multiplied within a function.
def coupled {n} (x : array n real) : real :=
  ifold n (fun s i => s + (if k : fin n := int i + 1 then tanh (x[k] * x[i]) else 0)) 0

def coupledGradient {n} (x : array n real) : array n real := grad coupled x

-- 2. A chain of oscillators, each drawn by the next.
def oscillators {n t} (z : array t real) (x : array n real) : real :=
  let s := ifold t (fun s e => build n (fun i =>
    let f := if k : fin n := int i + 1 then tanh (s[k] - s[i]) else 0; s[i] + z[e] * f)) x;
  vectorDot s s

def oscillatorsGradient {n t} (z : array t real) (x : array n real) : array n real := grad (fun p => oscillators z p) x

-- 3. A net of springs in two directions.
def net {n m} (x : array n (array m real)) : real :=
  ifold n (fun a i => ifold m (fun a j =>
    a + (if k : fin n := int i + 1 then let r := x[k][j] - x[i][j]; log (1 + r * r) else 0)
      + (if k : fin m := int j + 1 then let r := x[i][k] - x[i][j]; exp (r * x[i][j]) else 0)) a) 0

def netGradient {n m} (x : array n (array m real)) : array n (array m real) := gradMatrix net x

-- 4. A table whose k-th element is computed from those before it.
def parts {n} (c : array n real) : real :=
  let s := ifold n (fun s k => build n (fun l => if l = k && int k > 0
    then 0.1 * ifold n (fun a m => if int m < int k then a + c[m] * s[m] else a) 0 else s[l])) c;
  vectorSum s

def partsGradient {n} (c : array n real) : array n real := grad parts c

-- 5. Two rows of a matrix turned in each step.
def rotations {n} (c : array n real) (a : array (n + 1) (array n real)) : real :=
  let r := ifold n (fun r k => build (n + 1) (fun i => build n (fun j =>
    if int i = int k then c[k] * r[k][j] + 0.5 * r[k + 1][j]
    else if int i = int k + 1 then c[k] * r[k + 1][j] - 0.5 * r[k][j] else r[i][j]))) a;
  ifold n (fun s i => s + vectorDot r[i] r[i]) 0

def rotationsGradient {n} (c : array n real) (a : array (n + 1) (array n real)) : array n real :=
  grad (fun p => rotations p a) c

-- 6. A row that is read in the next round, or else itself.
def smoothed {n} (y q : array n real) : real :=
  let f := (scan n (fun s i => let p := s + q[i] * q[i]; (0.5 * p, (s, p))) 1).2;
  ifold n (fun a i => a + y[i] * f[i].2 / f[int i + 1 else f[i]].1) 0

def smoothedGradient {n} (y q : array n real) : array n real := grad (fun p => smoothed y p) q

-- 7. Cholesky's decomposition in place, a column in each step.
def decomposed {n} (a : array n (array n real)) : real :=
  let l := ifold n (fun l j => let d := sqrt (abs l[j][j] + 0.1);
    build n (fun i => build n (fun k =>
      if int k > int j && int i >= int k then l[i][k] - l[i][j] * l[k][j] / (d * d)
      else if k = j then (if i = j then d else if int i > int j then l[i][j] / d else l[i][j])
      else l[i][k]))) a;
  ifold n (fun s i => s + log l[i][i]) 0

def decomposedGradient {n} (a : array n (array n real)) : array n (array n real) := gradMatrix decomposed a

-- 8. A row that is mixed with another one, both as data say.
def mixed {n m} (p q : array n (fin n)) (a : array n (array m real)) : real :=
  let r := ifold n (fun r k =>
    build n (fun i => if i = p[k] then build m (fun j => 0.5 * r[p[k]][j] * r[q[k]][j]) else r[i])) a;
  ifold n (fun s i => s + vectorDot r[i] r[i]) 0

def mixedGradient {n m} (p q : array n (fin n)) (a : array n (array m real)) : array n (array m real) :=
  gradMatrix (fun r => mixed p q r) a

-- 9. Pairs in a plane that are drawn by those below and beside them, at the edges by themselves.
def drawn {n m t} (z : array t real) (x : array n (array m (real * real))) : real :=
  let s := ifold t (fun s e => build n (fun i => build m (fun j =>
    let p := s[int i + 1, j else s[i][j]]; let q := s[i, int j + 1 else s[i][j]];
    (z[e] * tanh (p.1 - q.2), 0.5 * p.2 + tanh q.1)))) x;
  ifold n (fun a i => ifold m (fun b j => b + s[i][j].1 * s[i][j].2) a) 0

def drawnGradient {n m t} (z : array t real) (x : array n (array m (real * real))) : array n (array m (real * real)) :=
  grad (fun p => drawn z p) x
