-- Gradients of programs that add at places from data, in loops and before what is read at such places.

-- 1. A histogram of soft bins, gathered back.
def bins {n m} (k : array m (fin n)) (x : array m real) (c : array n real) : real :=
  let h := scatter n m (fun i => (int k[i], exp (-x[i] * x[i])));
  ifold m (fun s i => s + (x[i] - c[k[i]]) * (x[i] - c[k[i]]) / (1 + h[k[i]])) 0

def binsGradient {n m} (k : array m (fin n)) (x : array m real) (c : array n real) : array m real * array n real :=
  (grad (fun p => bins k p c) x, grad (fun p => bins k x p) c)

-- 2. Momentum descent on a quadratic by gathers.
def momentum {n m t} (k : array m (fin n)) (w : array m real) (rate : array t real) (x : array n real) : real :=
  let s := ifold t (fun s e =>
    let g := scatter n m (fun i => (int k[i], w[i] * s.1[k[i]]));
    let v := build n (fun j => 0.9 * s.2[j] - rate[e] * g[j]);
    (build n (fun j => s.1[j] + v[j]), v)) (x, build n (fun j => 0));
  vectorDot s.1 s.1

def momentumGradient {n m t} (k : array m (fin n)) (w : array m real) (rate : array t real) (x : array n real) : array n real * (array m real * array t real) :=
  (grad (fun p => momentum k w rate p) x, (grad (fun p => momentum k p rate x) w, grad (fun p => momentum k w p x) rate))

-- 3. Page rank with weights by edges.
def rank {n m t} (z : array t real) (src : array m (fin n)) (dst : array m (fin n)) (w : array m real) (b : array n real) : real :=
  let r := ifold t (fun r e =>
    let got := scatter n m (fun i => (int dst[i], w[i] * r[src[i]]));
    build n (fun j => 0.15 * b[j] + z[e] * got[j])) b;
  ifold n (fun c j => c + log (1 + r[j] * r[j])) 0

def rankGradient {n m t} (z : array t real) (src : array m (fin n)) (dst : array m (fin n)) (w : array m real) (b : array n real) : array m real * array n real :=
  (grad (fun p => rank z src dst p b) w, grad (fun p => rank z src dst w p) b)

-- 4. A graph network in rounds, with messages by edges from data, two weights.
def graph {n m h t} (z : array t real) (src : array m (fin n)) (dst : array m (fin n)) (x : array n (array h real)) (w : array h (array h real)) (u : array h (array h real)) : real :=
  let s := ifold t (fun s e =>
    let got := scatter n m (fun i => (int dst[i], s[src[i]]));
    build n (fun j => build h (fun k => tanh (vectorDot w[k] s[j] + z[e] * vectorDot u[k] got[j])))) x;
  ifold n (fun c j => ifold h (fun c k => c + s[j][k] * s[j][k]) c) 0

def graphGradient {n m h t} (z : array t real) (src : array m (fin n)) (dst : array m (fin n)) (x : array n (array h real)) (w : array h (array h real)) (u : array h (array h real)) : array n (array h real) * (array h (array h real) * array h (array h real)) :=
  (grad (fun p => graph z src dst p w u) x, (grad (fun p => graph z src dst x p u) w, grad (fun p => graph z src dst x w p) u))
