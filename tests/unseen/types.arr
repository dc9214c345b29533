-- Gradients by parameters of mixed types, each by one use of `grad`.

-- 1. A layer as a pair of weights and biases.
def layer {n d h} (x : array n (array d real)) (y : array n (array h real)) (p : array h (array d real) * array h real) : real :=
  let (w, b) := p;
  ifold n (fun s i => s + ifold h (fun t k =>
    let r := tanh (ifold d (fun a j => a + w[k][j] * x[i][j]) 0 + b[k]) - y[i][k];
    t + r * r) 0) 0

def layerGradient {n d h} (x : array n (array d real)) (y : array n (array h real)) (p : array h (array d real) * array h real) :=
  grad (layer x y) p

-- 2. A network of two layers, as a pair of pairs.
def network {n d h} (x : array n (array d real)) (y : array n real)
    (p : (array h (array d real) * array h real) * (array h real * real)) : real :=
  let ((w1, b1), (w2, b2)) := p;
  ifold n (fun s i =>
    let r := ifold h (fun a k => a + w2[k] * tanh (ifold d (fun c j => c + w1[k][j] * x[i][j]) 0 + b1[k])) 0 + b2 - y[i];
    s + r * r) 0

def networkGradient {n d h} (x : array n (array d real)) (y : array n real)
    (p : (array h (array d real) * array h real) * (array h real * real)) :=
  grad (network x y) p

-- 3. A mixture: weights, means and spreads.
def mixture {n d} {k >= 1} (x : array n (array d real)) (p : array k real * array k (array d real) * array k real) : real :=
  let (alpha, mu, q) := p;
  ifold n (fun s i => s + logSumExp (build k (fun c =>
    alpha[c] + real d * q[c] - 0.5 * exp (2 * q[c]) * ifold d (fun a j => a + (x[i][j] - mu[c][j]) * (x[i][j] - mu[c][j])) 0))) 0
    - real n * logSumExp alpha

def mixtureGradient {n d} {k >= 1} (x : array n (array d real)) (p : array k real * array k (array d real) * array k real) :=
  grad (mixture x) p

-- 4. A line: slope and height.
def line {n} (x y : array n real) (p : real * real) : real :=
  ifold n (fun s i => let r := fst p * x[i] + snd p - y[i]; s + r * r) 0

def lineGradient {n} (x y : array n real) (p : real * real) :=
  grad (line x y) p

-- 5. Points in the plane, as an array of pairs: their distances from others.
def places {n m} (t : array n (array m real)) (a : array m (real * real)) (p : array n (real * real)) : real :=
  ifold n (fun s i => s + ifold m (fun u j =>
    let dx := fst p[i] - fst a[j];
    let dy := snd p[i] - snd a[j];
    let r := dx * dx + dy * dy - t[i][j];
    u + r * r) 0) 0

def placesGradient {n m} (t : array n (array m real)) (a : array m (real * real)) (p : array n (real * real)) :=
  grad (places t a) p

-- 6. Factors and biases of users and items.
def factors {n m k} (r : array n (array m real)) (p : (array n (array k real) * array n real) * (array m (array k real) * array m real)) : real :=
  let ((u, a), (v, b)) := p;
  ifold n (fun s i => s + ifold m (fun t j =>
    let e := ifold k (fun c l => c + u[i][l] * v[j][l]) 0 + a[i] + b[j] - r[i][j];
    t + e * e) 0) 0

def factorsGradient {n m k} (r : array n (array m real)) (p : (array n (array k real) * array n real) * (array m (array k real) * array m real)) :=
  grad (factors r) p

-- 7. Experts, each a pair of weights and a bias, added up.
def experts {n d e} (x : array n (array d real)) (y : array n real) (p : array e (array d real * real)) : real :=
  ifold n (fun s i =>
    let r := ifold e (fun a k => a + tanh (ifold d (fun c j => c + (fst p[k])[j] * x[i][j]) 0 + snd p[k])) 0 - y[i];
    s + r * r) 0

def expertsGradient {n d e} (x : array n (array d real)) (y : array n real) (p : array e (array d real * real)) :=
  grad (experts x y) p

-- 8. A normalisation with stretch and move behind a linear map.
def normed {n d} (x : array n (array d real)) (y : array n (array d real)) (p : array d (real * real)) : real :=
  ifold n (fun s i =>
    let mean := ifold d (fun a c => a + x[i][c]) 0 / real d;
    s + ifold d (fun a c => let r := fst p[c] * (x[i][c] - mean) + snd p[c] - y[i][c]; a + r * r) 0) 0

def normedGradient {n d} (x : array n (array d real)) (y : array n (array d real)) (p : array d (real * real)) :=
  grad (normed x y) p

-- 9. A kernel of four indices with one factor for all.
def kernel {b c h w} (x y : array b (array c (array h (array w real)))) (p : array b (array c (array h (array w real))) * real) : real :=
  let (t, g) := p;
  ifold b (fun s i => s + ifold c (fun s j => s + ifold h (fun s k => s + ifold w (fun s l =>
    let r := g * t[i][j][k][l] * x[i][j][k][l] - y[i][j][k][l];
    s + r * r) 0) 0) 0) 0

def kernelGradient {b c h w} (x y : array b (array c (array h (array w real)))) (p : array b (array c (array h (array w real))) * real) :=
  grad (kernel x y) p

-- 10. Springs on a line: places, and the stiffness and length of all.
def coils {n} (f : array n real) (p : array n real * (real * real)) : real :=
  let (x, stiff, long) := p;
  ifold n (fun s i => s + ifold n (fun t j => let r := (x[i] - x[j]) * (x[i] - x[j]) - long; t + stiff * r * r) 0 - f[i] * x[i]) 0

def coilsGradient {n} (f : array n real) (p : array n real * (real * real)) :=
  grad (coils f) p

-- 11. The same line by two arguments, the value beside the gradient.
def curve {n} (p : real * real) (x y : array n real) : real :=
  ifold n (fun s i => let r := exp (fst p * x[i]) + snd p - y[i]; s + r * r) 0

def curveGradient {n} (p : real * real) (x y : array n real) :=
  valueAndGrad curve p x y
