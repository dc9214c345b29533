-- Energies of pairs, kernels, graphs.

-- 1. All pairs of a vector once.
def couples {n} (u : real) (x : array n real) : real :=
  ifold n (fun s i => s + ifold n (fun t j => t + (if i < j then u + x[i] * x[j] else u)) 0) 0

def couplesGradient {n} (u : real) (x : array n real) : array n real :=
  grad (couples u) x

-- 2. Lennard and Jones' potential of n particles.
def lennardJones {n d} (x : array n (array d real)) : real :=
  ifold n (fun s i => s + ifold n (fun t j =>
    t + (if i < j then
      (let r2 := ifold d (fun a c => a + (x[i][c] - x[j][c]) * (x[i][c] - x[j][c])) 0;
        let q := 1 / (r2 * r2 * r2);
        q * q - q) else 0)) 0) 0

def lennardJonesGradient {n d} (x : array n (array d real)) : array n (array d real) :=
  gradMatrix lennardJones x

-- 3. Charges on a line.
def coulomb {n} (q x : array n real) : real :=
  ifold n (fun s i => s + ifold n (fun t j => t + (if i = j then 0 else q[i] * q[j] / sqrt ((x[i] - x[j]) * (x[i] - x[j]) + 1))) 0) 0

def coulombGradient {n} (q x : array n real) : array n real :=
  grad (coulomb q) x

-- 4. A quadratic form.
def quadratic {n} (a : array n (array n real)) (x : array n real) : real :=
  ifold n (fun s i => s + ifold n (fun t j => t + x[i] * a[i][j] * x[j]) 0) 0

def quadraticGradient {n} (a : array n (array n real)) (x : array n real) : array n real :=
  grad (quadratic a) x

-- 5. The quadratic form of a Gaussian process's kernel, by its lengths.
def kernel {n d} (x : array n (array d real)) (y : array n real) (l : array d real) : real :=
  ifold n (fun s i => s + ifold n (fun t j =>
    let r := ifold d (fun a c => a + exp l[c] * (x[i][c] - x[j][c]) * (x[i][c] - x[j][c])) 0;
    t + y[i] * y[j] * exp (-0.5 * r)) 0) 0

def kernelGradient {n d} (x : array n (array d real)) (y : array n real) (l : array d real) : array d real :=
  grad (kernel x y) l

-- 6. Springs between neighbours in a graph.
def springs {n m d} (ends : array m (fin n * fin n)) (k : array m real) (x : array n (array d real)) : real :=
  ifold m (fun s e => s + k[e] * ifold d (fun t c =>
    let r := x[fst ends[e]][c] - x[snd ends[e]][c];
    t + r * r) 0) 0

def springsGradient {n m d} (ends : array m (fin n * fin n)) (k : array m real) (x : array n (array d real)) : array n (array d real) :=
  gradMatrix (springs ends k) x

-- 7. Cox's partial likelihood, i at risk while j is.
def cox {n d} (x : array n (array d real)) (time : array n real) (w : array d real) : real :=
  let eta := build n (fun i => ifold d (fun a j => a + x[i][j] * w[j]) 0);
  ifold n (fun s i => s + (log (ifold n (fun t j => t + (if time[i] <= time[j] then exp eta[j] else 0)) 0) - eta[i])) 0

def coxGradient {n d} (x : array n (array d real)) (time : array n real) (w : array d real) : array d real :=
  grad (cox x time) w

-- 8. A network of radial bases, by centres and weights.
def radial {n d k} (x : array n (array d real)) (y : array n real) (c : array k (array d real)) (w : array k real) : real :=
  ifold n (fun s i =>
    let r := ifold k (fun a p => a + w[p] * exp (-(ifold d (fun b j => b + (x[i][j] - c[p][j]) * (x[i][j] - c[p][j])) 0))) 0 - y[i];
    s + r * r) 0

def radialGradient {n d k} (x : array n (array d real)) (y : array n real) (c : array k (array d real)) (w : array k real)
    : array k (array d real) * array k real :=
  (gradMatrix (fun v => radial x y v w) c, grad (fun v => radial x y c v) w)

-- 9. Couplings and fields of spins.
def spins {n} (j : array n (array n real)) (h m : array n real) : real :=
  -(ifold n (fun s a => s + ifold n (fun t b => t + j[a][b] * tanh m[a] * tanh m[b]) 0) 0) - ifold n (fun s a => s + h[a] * tanh m[a]) 0

def spinsGradient {n} (j : array n (array n real)) (h m : array n real) : array n real :=
  grad (spins j h) m

-- 10. All pairs, the inner sum going on where the outer one stands.
def running {n} (x : array n real) : real :=
  ifold n (fun s i => ifold n (fun u j => if i < j then u + x[i] * x[j] else u) s) 0

def runningGradient {n} (x : array n real) : array n real :=
  grad running x
