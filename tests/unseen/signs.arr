-- Losses with a minus before what changes.

-- 1. A sum of decays.
def decay {n} (x : array n real) : real :=
  ifold n (fun s i => s + exp (-x[i])) 0

def decayGradient {n} (x : array n real) : array n real :=
  grad decay x

-- 2. A sum by subtraction.
def concave {n} (x : array n real) : real :=
  ifold n (fun s i => s - x[i] * x[i]) 0

def concaveGradient {n} (x : array n real) : array n real :=
  grad concave x

-- 3. The l1 norm.
def taxicab {n} (x : array n real) : real :=
  ifold n (fun s i => s + (if x[i] < 0 then -x[i] else x[i])) 0

def taxicabGradient {n} (x : array n real) : array n real :=
  grad taxicab x

-- 4. A wave.
def wave {n} (a x : array n real) : real :=
  ifold n (fun s i => s + a[i] * cos x[i]) 0

def waveGradient {n} (a x : array n real) : array n real :=
  grad (wave a) x

-- 5. Negative log likelihood of coin flips with logits.
def bernoulli {n} (y x : array n real) : real :=
  -(ifold n (fun s i => s + (y[i] * x[i] - log (1 + exp x[i]))) 0)

def bernoulliGradient {n} (y x : array n real) : array n real :=
  grad (bernoulli y) x

-- 6. Poisson regression.
def poisson {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : real :=
  ifold n (fun s i =>
    let rate := ifold d (fun a j => a + x[i][j] * w[j]) 0;
    s + (exp rate - y[i] * rate)) 0

def poissonGradient {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : array d real :=
  grad (poisson x y) w

-- 7. Entropy of amplitudes.
def entropy {n} (p : array n real) : real :=
  -(ifold n (fun s i => s + p[i] * log (p[i] * p[i])) 0)

def entropyGradient {n} (p : array n real) : array n real :=
  grad entropy p

-- 8. Hinge loss of a support vector machine.
def hinge {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : real :=
  ifold n (fun s i =>
    let margin := 1 - y[i] * ifold d (fun a j => a + x[i][j] * w[j]) 0;
    s + (if margin > 0 then margin else 0)) 0

def hingeGradient {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : array d real :=
  grad (hinge x y) w

-- 9. Huber's loss.
def huber {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : real :=
  ifold n (fun s i =>
    let r := ifold d (fun a j => a + x[i][j] * w[j]) 0 - y[i];
    s + (if r < -1 then -r - 0.5 else if r > 1 then r - 0.5 else 0.5 * r * r)) 0

def huberGradient {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : array d real :=
  grad (huber x y) w

-- 10. Logistic regression with both penalties.
def elastic {n d} (x : array n (array d real)) (y : array n real) (w : array d real) (a b : real) : real :=
  ifold n (fun s i =>
    let z := ifold d (fun t j => t + x[i][j] * w[j]) 0;
    s + (log (1 + exp (-z)) + (1 - y[i]) * z)) 0
    + a * ifold d (fun s j => s + (if w[j] < 0 then -w[j] else w[j])) 0
    + b * ifold d (fun s j => s + w[j] * w[j]) 0

def elasticGradient {n d} (x : array n (array d real)) (y : array n real) (w : array d real) (a b : real) : array d real :=
  grad (fun v => elastic x y v a b) w
