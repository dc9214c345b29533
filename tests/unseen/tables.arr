-- Tables read at data and at offsets, and derivatives beyond gradients.

-- 1. A convolution, by its taps.
def taps {n m} (x : array (n + m) real) (y : array n real) (w : array m real) : real :=
  ifold n (fun s i =>
    let r := ifold m (fun a j => a + w[j] * x[i + j]) 0 - y[i];
    s + r * r) 0

def tapsGradient {n m} (x : array (n + m) real) (y : array n real) (w : array m real) : array m real :=
  grad (taps x y) w

-- 2. The same, by its signal.
def signal {n m} (w : array m real) (y : array n real) (x : array (n + m) real) : real :=
  ifold n (fun s i =>
    let r := ifold m (fun a j => a + w[j] * x[i + j]) 0 - y[i];
    s + r * r) 0

def signalGradient {n m} (w : array m real) (y : array n real) (x : array (n + m) real) : array (n + m) real :=
  grad (signal w y) x

-- 3. Embeddings of words.
def embedding {n v d} (word : array n (fin v)) (y : array n (array d real)) (e : array v (array d real)) : real :=
  ifold n (fun s i => s + ifold d (fun t c =>
    let r := e[word[i]][c] - y[i][c];
    t + r * r) 0) 0

def embeddingGradient {n v d} (word : array n (fin v)) (y : array n (array d real)) (e : array v (array d real)) : array v (array d real) :=
  gradMatrix (embedding word y) e

-- 4. A sum of exponentials of weights.
def sumExp {d} (w : array d real) : real :=
  ifold d (fun s j => s + exp w[j]) 0

def sumExpGradient {d} (w : array d real) : array d real :=
  grad sumExp w

def sumExpHessian {d} (w : array d real) : array d (array d real) :=
  jacobian sumExpGradient w

-- 5. The Jacobian of a softmax.
def softmax {n} (x : array n real) : array n real :=
  let e := build n (fun i => exp x[i]);
  let total := ifold n (fun s i => s + e[i]) 0;
  build n (fun i => e[i] / total)

def softmaxJacobian {n} (x : array n real) : array n (array n real) :=
  jacobian softmax x

-- 6. A directional derivative of a logistic loss.
def logistic {n d} (x : array n (array d real)) (w : array d real) : real :=
  ifold n (fun s i => s + log (1 + exp (ifold d (fun a j => a + x[i][j] * w[j]) 0))) 0

def logisticGradient {n d} (x : array n (array d real)) (w : array d real) : array d real :=
  grad (logistic x) w

def logisticHessian {n d} (x : array n (array d real)) (w : array d real) : array d (array d real) :=
  jacobian (fun v => logisticGradient x v) w
