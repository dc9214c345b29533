-- Gradients of loops with a state in loops with a state, whose states the gradient goes through again.

-- 1. Sweeps of Gauss and Seidel, by the matrix and the right side.
def sweeps {n t} (z : array t real) (a : array n (array n real)) (b : array n real) : real :=
  let x := ifold t (fun x e => ifold n (fun x i =>
    update x i ((b[i] - vectorDot a[i] x + a[i][i] * x[i]) / (a[i][i] + z[e]))) x) (build n (fun i => 0));
  vectorDot x x

def sweepsGradient {n t} (z : array t real) (a : array n (array n real)) (b : array n real) : array n (array n real) * array n real :=
  (grad (fun p => sweeps z p b) a, grad (fun p => sweeps z a p) b)

-- 2. A row's states in a state of its own.
def rows {n m} (x : array n (array m real)) : real := ifold n (fun a i =>
  let s := (scan m (fun s j => let v := tanh (s * a + x[i][j]); (v, v)) 0).2; tanh (vectorDot s x[i])) 0

def rowsGradient {n m} (x : array n (array m real)) : array n (array m real) := gradMatrix rows x

-- 3. How far two sequences are apart, with soft choices.
def aligned {n m} (x : array n real) (y : array m real) : real :=
  let last := ifold n (fun row i =>
    (scan m (fun left j =>
      let cost := (x[i] - y[j]) * (x[i] - y[j]);
      let here := cost - log (exp (-left) + exp (-row[j]));
      (here, here)) (real i)).2) (build m (fun j => real j));
  last[0 else 0]

def alignedGradient {n m} (x : array n real) (y : array m real) : array n real * array m real :=
  (grad (fun p => aligned p y) x, grad (fun p => aligned x p) y)

-- 4. A matrix that is changed in one place at a time, by its neighbours.
def relaxed {n m} (f : array n (array m real)) : real :=
  let u := ifold n (fun u i => ifold m (fun u j =>
    update u i (update u[i] j (tanh u[i][j] + f[i][j] * u[i][int j - 1 else 1]))) u) f;
  ifold n (fun s i => s + vectorDot u[i] u[i]) 0

def relaxedGradient {n m} (f : array n (array m real)) : array n (array m real) := gradMatrix relaxed f

-- 5. Spans by their splits, shorter ones first: a row has what begins there, and asks for what ends where it is to end.
def spans {n} (x : array n (array n real)) : real :=
  let t := ifold n (fun t l => build n (fun i =>
    if j : fin n := int i + int l + 1
    then update t[i] j (x[i][j] + log (ifold n (fun s m =>
      if i <= m && m < j then s + exp (t[i][m] + t[int m + 1 else t[i]][j]) else s) 1))
    else t[i])) (build n (fun i => build n (fun j => 0)));
  ifold n (fun s i => s + vectorSum t[i]) 0

def spansGradient {n} (x : array n (array n real)) : array n (array n real) := gradMatrix spans x
