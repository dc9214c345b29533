-- Rows that are computed in one build, with what they need beside, and lookups by folds.

-- 1. A layer of attention and of a network, each row at once.
def attention {n d h f} (x : array n (array d real)) (wq wk wv : array d (array h real)) (w1 : array h (array f real)) (w2 : array f real) : real :=
  let rows := build n (fun i =>
    let mean := ifold d (fun s c => s + x[i][c]) 0 / real d;
    let variance := ifold d (fun s c => s + (x[i][c] - mean) * (x[i][c] - mean)) 0 / real d;
    let z := build d (fun c => (x[i][c] - mean) / sqrt (variance + 0.00001));
    (build h (fun a => ifold d (fun s c => s + z[c] * wq[c][a]) 0),
      (build h (fun a => ifold d (fun s c => s + z[c] * wk[c][a]) 0),
        build h (fun a => ifold d (fun s c => s + z[c] * wv[c][a]) 0))));
  let out := build n (fun i =>
    let q := fst rows[i];
    let e := build n (fun j => exp (ifold h (fun s a => s + q[a] * (fst (snd rows[j]))[a]) 0 / sqrt (real h)));
    let total := ifold n (fun s j => s + e[j]) 0;
    let mixed := build h (fun a => ifold n (fun s j => s + e[j] * (snd (snd rows[j]))[a]) 0 / total);
    let hidden := build f (fun k => tanh (ifold h (fun s a => s + mixed[a] * w1[a][k]) 0));
    ifold f (fun s k => s + hidden[k] * w2[k]) 0);
  ifold n (fun s i => s + out[i] * out[i]) 0

def attentionGradient {n d h f} (x : array n (array d real)) (wq wk wv : array d (array h real)) (w1 : array h (array f real)) (w2 : array f real) : array n (array d real) * array d (array h real) * array d (array h real) * array d (array h real) * array h (array f real) * array f real :=
  (gradMatrix (fun p => attention p wq wk wv w1 w2) x, gradMatrix (fun p => attention x p wk wv w1 w2) wq, gradMatrix (fun p => attention x wq p wv w1 w2) wk,
    gradMatrix (fun p => attention x wq wk p w1 w2) wv, gradMatrix (fun p => attention x wq wk wv p w2) w1, grad (fun p => attention x wq wk wv w1 p) w2)

-- 2. A network of two layers over rows of data, the loss of each row beside its prediction.
def network {n d h} (x : array n (array d real)) (y : array n real) (w : array d (array h real)) (v : array h real) : real :=
  let rows := build n (fun i =>
    let z := build h (fun k => tanh (ifold d (fun s c => s + x[i][c] * w[c][k]) 0));
    let p := ifold h (fun s k => s + z[k] * v[k]) 0;
    (p, (p - y[i]) * (p - y[i])));
  ifold n (fun s i => s + snd rows[i] + 0.1 * fst rows[i] * fst rows[i]) 0

def networkGradient {n d h} (x : array n (array d real)) (y : array n real) (w : array d (array h real)) (v : array h real) : array d (array h real) * array h real :=
  (gradMatrix (fun p => network x y p v) w, grad (network x y w) v)

-- 3. Rows that are chosen by a condition on the data.
def chosen {n d} (x : array n (array d real)) (y : array n real) (w b : array d real) : real :=
  let rows := build n (fun i =>
    let s := ifold d (fun s c => s + x[i][c] * w[c]) 0;
    if s < y[i] then (let e := exp s; build d (fun c => e * b[c])) else build d (fun c => s * b[c] * x[i][c]));
  ifold n (fun s i => s + ifold d (fun t c => t + rows[i][c] * rows[i][c]) 0) 0

def chosenGradient {n d} (x : array n (array d real)) (y : array n real) (w b : array d real) : array d real * array d real :=
  (grad (fun p => chosen x y p b) w, grad (chosen x y w) b)

-- 4. Density of a mixture along an axis, all in one row.
def density {n k d} (x : array n (array d real)) (m : array k (array d real)) (a : array k real) : real :=
  let rows := build n (fun i =>
    let e := build k (fun j => exp (a[j] - 0.5 * ifold d (fun s c => s + (x[i][c] - m[j][c]) * (x[i][c] - m[j][c])) 0));
    let total := ifold k (fun s j => s + e[j]) 0;
    (log total, build k (fun j => e[j] / total)));
  ifold n (fun s i => s + fst rows[i] + ifold k (fun t j => t + (snd rows[i])[j] * (snd rows[i])[j]) 0) 0

def densityGradient {n k d} (x : array n (array d real)) (m : array k (array d real)) (a : array k real) : array k (array d real) * array k real :=
  (gradMatrix (fun p => density x p a) m, grad (density x m) a)

-- 5. Contrast of pairs (InfoNCE) whose rows hold the logits.
def infonce {n d h} (x y : array n (array d real)) (w : array d (array h real)) : real :=
  let embed := fun (v : array d real) => build h (fun k => tanh (ifold d (fun s c => s + v[c] * w[c][k]) 0));
  let u := build n (fun i => embed x[i]);
  let v := build n (fun i => embed y[i]);
  let rows := build n (fun i =>
    let logits := build n (fun j => ifold h (fun s k => s + u[i][k] * v[j][k]) 0);
    log (ifold n (fun s j => s + exp logits[j]) 0) - logits[i]);
  ifold n (fun s i => s + rows[i]) 0

def infonceGradient {n d h} (x y : array n (array d real)) (w : array d (array h real)) : array d (array h real) :=
  gradMatrix (fun p => infonce x y p) w

-- 6. The logit of each label, looked up by a fold.
def labels {n k d} (x : array n (array d real)) (y : array n int) (w : array k (array d real)) : real :=
  ifold n (fun s i =>
    let z := build k (fun j => ifold d (fun t c => t + w[j][c] * x[i][c]) 0);
    let mine := ifold k (fun u j => if int j = y[i] then z[j] else u) 0;
    s + log (ifold k (fun t j => t + exp z[j]) 0) - mine) 0

def labelsGradient {n k d} (x : array n (array d real)) (y : array n int) (w : array k (array d real)) : array k (array d real) :=
  gradMatrix (labels x y) w

-- 7. The same lookup alone: a word's weight.
def words {n k} (y : array n int) (w : array k real) : real :=
  ifold n (fun s i => let u := ifold k (fun u j => if int j = y[i] then exp w[j] else u) 0; s + u * u) 0

def wordsGradient {n k} (y : array n int) (w : array k real) : array k real := grad (words y) w
