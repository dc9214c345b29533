-- models/transformer.arr: one block of a transformer with a single head: attention and a network of two layers, each behind
-- a normalisation and beside a residual connection; half the sum of squared differences from y
def normalise {n d} (g b : array d real) (x : array n (array d real)) : array n (array d real) :=
  build n (fun i =>
    let mean := ifold d (fun s c => s + x[i][c]) 0 / real d;
    let variance := ifold d (fun s c => s + (x[i][c] - mean) * (x[i][c] - mean)) 0 / real d;
    build d (fun c => g[c] * (x[i][c] - mean) / sqrt (variance + 0.00001) + b[c]))

def attend {n d h} (wq wk wv : array d (array h real)) (wo : array h (array d real)) (x : array n (array d real))
    : array n (array d real) :=
  let q := matrixMul x wq;
  let k := matrixMul x wk;
  let v := matrixMul x wv;
  let scores := build n (fun i => build n (fun j => exp (ifold h (fun s c => s + q[i][c] * k[j][c]) 0 / sqrt (real h))));
  let mixed := build n (fun i =>
    let total := ifold n (fun s j => s + scores[i][j]) 0;
    build h (fun c => ifold n (fun s j => s + scores[i][j] * v[j][c]) 0 / total));
  matrixMul mixed wo

def block {n d h f} (g1 b1 g2 b2 : array d real) (wq wk wv : array d (array h real)) (wo : array h (array d real))
    (w1 : array d (array f real)) (c1 : array f real) (w2 : array f (array d real))
    (x : array n (array d real)) : array n (array d real) :=
  let a := matrixAdd x (attend wq wk wv wo (normalise g1 b1 x));
  let z := normalise g2 b2 a;
  let hidden := build n (fun i => build f (fun k => tanh (ifold d (fun s c => s + z[i][c] * w1[c][k]) 0 + c1[k])));
  matrixAdd a (matrixMul hidden w2)

def loss {n d h f} (x y : array n (array d real)) (g1 b1 g2 b2 : array d real) (wq wk wv : array d (array h real))
    (wo : array h (array d real)) (w1 : array d (array f real)) (c1 : array f real) (w2 : array f (array d real)) : real :=
  let out := block g1 b1 g2 b2 wq wk wv wo w1 c1 w2 x;
  0.5 * ifold n (fun s i => s + ifold d (fun t c => t + (out[i][c] - y[i][c]) * (out[i][c] - y[i][c])) 0) 0

-- By all eleven parameters.
def gradient {n d h f} (x y : array n (array d real)) (g1 b1 g2 b2 : array d real) (wq wk wv : array d (array h real))
    (wo : array h (array d real)) (w1 : array d (array f real)) (c1 : array f real) (w2 : array f (array d real))
    : array d real * array d real * array d real * array d real
      * array d (array h real) * array d (array h real) * array d (array h real) * array h (array d real)
      * array d (array f real) * array f real * array f (array d real) :=
  (grad (fun p => loss x y p b1 g2 b2 wq wk wv wo w1 c1 w2) g1,
    grad (fun p => loss x y g1 p g2 b2 wq wk wv wo w1 c1 w2) b1,
    grad (fun p => loss x y g1 b1 p b2 wq wk wv wo w1 c1 w2) g2,
    grad (fun p => loss x y g1 b1 g2 p wq wk wv wo w1 c1 w2) b2,
    gradMatrix (fun p => loss x y g1 b1 g2 b2 p wk wv wo w1 c1 w2) wq,
    gradMatrix (fun p => loss x y g1 b1 g2 b2 wq p wv wo w1 c1 w2) wk,
    gradMatrix (fun p => loss x y g1 b1 g2 b2 wq wk p wo w1 c1 w2) wv,
    gradMatrix (fun p => loss x y g1 b1 g2 b2 wq wk wv p w1 c1 w2) wo,
    gradMatrix (fun p => loss x y g1 b1 g2 b2 wq wk wv wo p c1 w2) w1,
    grad (fun p => loss x y g1 b1 g2 b2 wq wk wv wo w1 p w2) c1,
    gradMatrix (fun p => loss x y g1 b1 g2 b2 wq wk wv wo w1 c1 p) w2)
