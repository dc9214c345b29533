-- Sums over products, statistics and more.

-- 1. A tensor of rank r.
def tensor {i j k r} (t : array i (array j (array k real))) (a : array i (array r real)) (b : array j (array r real)) (c : array k (array r real)) : real :=
  ifold i (fun s p => s + ifold j (fun u q => u + ifold k (fun v o =>
    let e := ifold r (fun w l => w + a[p][l] * b[q][l] * c[o][l]) 0 - t[p][q][o];
    v + e * e) 0) 0) 0

def tensorGradient {i j k r} (t : array i (array j (array k real))) (a : array i (array r real)) (b : array j (array r real)) (c : array k (array r real)) : array i (array r real) :=
  gradMatrix (fun m => tensor t m b c) a

-- 2. A variance.
def variance {n} (x : array n real) : real :=
  let mean := ifold n (fun s i => s + x[i]) 0 / real n;
  ifold n (fun s i => s + (x[i] - mean) * (x[i] - mean)) 0 / real n

def varianceGradient {n} (x : array n real) : array n real :=
  grad variance x

-- 3. The cosine of an angle.
def cosine {n} (y x : array n real) : real :=
  vectorDot x y / (vectorNorm x * vectorNorm y)

def cosineGradient {n} (y x : array n real) : array n real :=
  grad (cosine y) x

-- 4. Cross entropy of a softmax.
def cross {n d} {k >= 1} (x : array n (array d real)) (label : array n (fin k)) (w : array k (array d real)) : real :=
  ifold n (fun s i =>
    let scores := build k (fun c => ifold d (fun a j => a + w[c][j] * x[i][j]) 0);
    s + (logSumExp scores - scores[label[i]])) 0

def crossGradient {n d} {k >= 1} (x : array n (array d real)) (label : array n (fin k)) (w : array k (array d real)) : array k (array d real) :=
  gradMatrix (cross x label) w

-- 5. A factorisation machine of second order.
def machine {n d k} (x : array n (array d real)) (y : array n real) (v : array d (array k real)) : real :=
  ifold n (fun s i =>
    let p := ifold k (fun a f =>
      let t := ifold d (fun b j => b + v[j][f] * x[i][j]) 0;
      a + (t * t - ifold d (fun b j => b + v[j][f] * v[j][f] * x[i][j] * x[i][j]) 0)) 0;
    let r := 0.5 * p - y[i];
    s + r * r) 0

def machineGradient {n d k} (x : array n (array d real)) (y : array n real) (v : array d (array k real)) : array d (array k real) :=
  gradMatrix (machine x y) v

-- 6. Ridge regression.
def ridge {n d} (x : array n (array d real)) (y : array n real) (w : array d real) (a : real) : real :=
  ifold n (fun s i =>
    let r := ifold d (fun t j => t + x[i][j] * w[j]) 0 - y[i];
    s + r * r) 0 + a * ifold d (fun s j => s + w[j] * w[j]) 0

def ridgeGradient {n d} (x : array n (array d real)) (y : array n real) (w : array d real) (a : real) : array d real :=
  grad (fun v => ridge x y v a) w

-- 7. A bilinear score.
def bilinear {n m o} (x : array o (array n real)) (y : array o (array m real)) (a : array n (array m real)) : real :=
  ifold o (fun s e => s + log (1 + exp (-(ifold n (fun t i => t + ifold m (fun u j => u + x[e][i] * a[i][j] * y[e][j]) 0) 0)))) 0

def bilinearGradient {n m o} (x : array o (array n real)) (y : array o (array m real)) (a : array n (array m real)) : array n (array m real) :=
  gradMatrix (bilinear x y) a

-- 8. How far one softmax is from another.
def divergence {n} (p : array n real) (x : array n real) : real :=
  let total := ifold n (fun s i => s + exp x[i]) 0;
  ifold n (fun s i => s + p[i] * (log (p[i] * p[i]) - log (exp x[i] / total))) 0

def divergenceGradient {n} (p : array n real) (x : array n real) : array n real :=
  grad (divergence p) x

-- 9. The reconstruction from principal components.
def components {n d k} (x : array n (array d real)) (w : array d (array k real)) : real :=
  ifold n (fun s i => s + ifold d (fun t j =>
    let r := x[i][j] - ifold k (fun a c => a + w[j][c] * ifold d (fun b l => b + w[l][c] * x[i][l]) 0) 0;
    t + r * r) 0) 0

def componentsGradient {n d k} (x : array n (array d real)) (w : array d (array k real)) : array d (array k real) :=
  gradMatrix (components x) w

-- 10. A matrix factorisation with biases.
def biased {n m k} (y : array n (array m real)) (u : array n (array k real)) (v : array m (array k real)) (b : array n real) (c : array m real) : real :=
  ifold n (fun s i => s + ifold m (fun t j =>
    let r := ifold k (fun a l => a + u[i][l] * v[j][l]) 0 + b[i] + c[j] - y[i][j];
    t + r * r) 0) 0

def biasedGradient {n m k} (y : array n (array m real)) (u : array n (array k real)) (v : array m (array k real)) (b : array n real) (c : array m real)
    : array n (array k real) * array n real * array m real :=
  (gradMatrix (fun p => biased y p v b c) u, grad (fun p => biased y u v p c) b, grad (fun p => biased y u v b p) c)
