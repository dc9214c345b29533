-- Layers upon layers.

-- 1. The trace of four matrices' product, by the first.
def trace {n} (a b c d : array n (array n real)) : real :=
  let p := matrixMul (matrixMul (matrixMul a b) c) d;
  ifold n (fun s i => s + p[i][i]) 0

def traceGradient {n} (a b c d : array n (array n real)) : array n (array n real) :=
  gradMatrix (fun m => trace m b c d) a

-- 2. The same, by the third.
def traceThird {n} (a b c d : array n (array n real)) : real :=
  let p := matrixMul (matrixMul (matrixMul a b) c) d;
  ifold n (fun s i => s + p[i][i]) 0

def traceThirdGradient {n} (a b c d : array n (array n real)) : array n (array n real) :=
  gradMatrix (fun m => trace a b m d) c

def residual {h} (w : array h (array h real)) (x : array h real) : array h real :=
  build h (fun i => x[i] + tanh (ifold h (fun s j => s + w[i][j] * x[j]) 0))

def plain {h} (w : array h (array h real)) (x : array h real) : array h real :=
  build h (fun i => tanh (ifold h (fun s j => s + w[i][j] * x[j]) 0))

-- 3. Two residual layers, by the input.
def residual2 {h} (w1 w2 : array h (array h real)) (x : array h real) : real :=
  let a := residual w1 x;
  let b := residual w2 a;
  ifold h (fun s i => s + b[i] * b[i]) 0

def residual2Gradient {h} (w1 w2 : array h (array h real)) (x : array h real) : array h (array h real) * array h real :=
  (gradMatrix (fun w => residual2 w w2 x) w1, grad (residual2 w1 w2) x)

-- 4. Three.
def residual3 {h} (w1 w2 w3 : array h (array h real)) (x : array h real) : real :=
  let a := residual w1 x;
  let b := residual w2 a;
  let c := residual w3 b;
  ifold h (fun s i => s + c[i] * c[i]) 0

def residual3Gradient {h} (w1 w2 w3 : array h (array h real)) (x : array h real) : array h (array h real) :=
  gradMatrix (fun w => residual3 w w2 w3 x) w1

-- 5. Four, by the input.
def residual4 {h} (w1 w2 w3 w4 : array h (array h real)) (x : array h real) : real :=
  let a := residual w1 x;
  let b := residual w2 a;
  let c := residual w3 b;
  let d := residual w4 c;
  ifold h (fun s i => s + d[i] * d[i]) 0

def residual4Gradient {h} (w1 w2 w3 w4 : array h (array h real)) (x : array h real) : array h real :=
  grad (residual4 w1 w2 w3 w4) x

-- 6. Three plain layers, by the first weights and the input.
def plain3 {h} (w1 w2 w3 : array h (array h real)) (x : array h real) : real :=
  let a := plain w1 x;
  let b := plain w2 a;
  let c := plain w3 b;
  ifold h (fun s i => s + c[i] * c[i]) 0

def plain3Gradient {h} (w1 w2 w3 : array h (array h real)) (x : array h real) : array h (array h real) * array h real :=
  (gradMatrix (fun w => plain3 w w2 w3 x) w1, grad (plain3 w1 w2 w3) x)

-- 7. An autoencoder of one layer each way.
def autoencoder {n d h} (x : array n (array d real)) (u : array h (array d real)) (v : array d (array h real)) : real :=
  ifold n (fun s i =>
    let code := build h (fun k => tanh (ifold d (fun a j => a + u[k][j] * x[i][j]) 0));
    s + ifold d (fun t j =>
      let r := ifold h (fun a k => a + v[j][k] * code[k]) 0 - x[i][j];
      t + r * r) 0) 0

def autoencoderGradient {n d h} (x : array n (array d real)) (u : array h (array d real)) (v : array d (array h real))
    : array h (array d real) * array d (array h real) :=
  (gradMatrix (fun w => autoencoder x w v) u, gradMatrix (fun w => autoencoder x u w) v)

-- 8. Layer normalisation before a linear read-out.
def normalised {n} (y g b x : array n real) : real :=
  let mean := ifold n (fun s i => s + x[i]) 0 / real n;
  let variance := ifold n (fun s i => s + (x[i] - mean) * (x[i] - mean)) 0 / real n;
  ifold n (fun s i =>
    let r := g[i] * (x[i] - mean) / sqrt (variance + 0.01) + b[i] - y[i];
    s + r * r) 0

def normalisedGradient {n} (y g b x : array n real) : array n real :=
  grad (normalised y g b) x

-- 9. One head of attention, by its queries' matrix.
def attention {n d} (x : array n (array d real)) (q k v : array d (array d real)) : real :=
  let queries := matrixMul x q;
  let keys := matrixMul x k;
  let values := matrixMul x v;
  ifold n (fun s i =>
    let e := build n (fun j => exp (ifold d (fun a c => a + queries[i][c] * keys[j][c]) 0));
    let total := ifold n (fun a j => a + e[j]) 0;
    s + ifold d (fun t c =>
      let o := ifold n (fun a j => a + e[j] * values[j][c]) 0 / total;
      t + o * o) 0) 0

def attentionGradient {n d} (x : array n (array d real)) (q k v : array d (array d real)) : array d (array d real) :=
  gradMatrix (fun w => attention x w k v) q

-- 10. A tower of two layers with normalised activations.
def batch {n d h} (x : array n (array d real)) (y : array n real) (w : array h (array d real)) (v : array h real) : real :=
  let z := build n (fun i => build h (fun k => ifold d (fun a j => a + w[k][j] * x[i][j]) 0));
  let mean := build h (fun k => ifold n (fun a i => a + z[i][k]) 0 / real n);
  let spread := build h (fun k => sqrt (ifold n (fun a i => a + (z[i][k] - mean[k]) * (z[i][k] - mean[k])) 0 / real n + 0.01));
  ifold n (fun s i =>
    let r := ifold h (fun a k => a + v[k] * tanh ((z[i][k] - mean[k]) / spread[k])) 0 - y[i];
    s + r * r) 0

def batchGradient {n d h} (x : array n (array d real)) (y : array n real) (w : array h (array d real)) (v : array h real)
    : array h (array d real) :=
  gradMatrix (fun u => batch x y u v) w
