-- models/mixture.arr: the log posterior of a Gaussian mixture with a Wishart prior, at n points of d numbers, with k
-- components; ADBench's and GradBench's `gmm`. Component c has the weight exp alpha[c] (up to a common factor), the
-- mean mu[c], and the inverse of a factor of its covariance, the lower triangular matrix with exp q[c] on its
-- diagonal and l[c] below it. Of l only what lies strictly below the diagonal is read.
def factors {d k} (q : array k (array d real)) (l : array k (array d (array d real)))
    : array k (array d (array d real)) :=
  build k (fun c => build d (fun i => build d (fun j =>
    if j < i then l[c][i][j] else if i = j then exp q[c][i] else 0)))

def objective {n d} {k >= 1} (x : array n (array d real)) (m : int) (gamma : real)
    (alpha : array k real) (mu : array k (array d real)) (q : array k (array d real))
    (l : array k (array d (array d real))) : real :=
  let factor := factors q l;
  let logs := build k (fun c => ifold d (fun sum j => sum + q[c][j]) 0);
  let fit := ifold n (fun acc i =>
    let scores := build k (fun c =>
      let gap := build d (fun j => x[i][j] - mu[c][j]);
      let square := ifold d (fun sum a =>
        let z := ifold d (fun z b => z + factor[c][a][b] * gap[b]) 0;
        sum + z * z) 0;
      alpha[c] - 0.5 * square + logs[c]);
    acc + logSumExp scores) 0;
  let squares := ifold k (fun acc c => acc + ifold d (fun rows a => rows + ifold d (fun sum b =>
    sum + factor[c][a][b] * factor[c][a][b]) 0) 0) 0;
  let p := d + m + 1;
  -- the logarithm of the multivariate gamma function, at p / 2
  let logGamma := 0.25 * real (d * (d - 1)) * log 3.141592653589793
    + ifold d (fun sum j => sum + lgamma (0.5 * real p - 0.5 * real j)) 0;
  fit - real n * (0.5 * real d * log (2 * 3.141592653589793) + logSumExp alpha)
    + real k * (real (p * d) * log (gamma / sqrt 2) - logGamma)
    - 0.5 * gamma * gamma * squares + real m * vectorSum logs

-- The gradient of f at an array of matrices. Static: f.
def gradMatrices {n m o} (f : array n (array m (array o real)) -> real) (a : array n (array m (array o real)))
    : array n (array m (array o real)) :=
  build n (fun i => build m (fun j => build o (fun k =>
    snd ((D f) (build n (fun u => build m (fun v => build o (fun w =>
      (a[u][v][w], if i = u && j = v && k = w then 1 else 0)))))))))

-- By the weights, the means, and the two parts of the factors.
def gradientAlpha {n d} {k >= 1} (x : array n (array d real)) (m : int) (gamma : real)
    (alpha : array k real) (mu : array k (array d real)) (q : array k (array d real))
    (l : array k (array d (array d real))) : array k real :=
  grad (fun p => objective x m gamma p mu q l) alpha

def gradientMu {n d} {k >= 1} (x : array n (array d real)) (m : int) (gamma : real)
    (alpha : array k real) (mu : array k (array d real)) (q : array k (array d real))
    (l : array k (array d (array d real))) : array k (array d real) :=
  gradMatrix (fun p => objective x m gamma alpha p q l) mu

def gradientQ {n d} {k >= 1} (x : array n (array d real)) (m : int) (gamma : real)
    (alpha : array k real) (mu : array k (array d real)) (q : array k (array d real))
    (l : array k (array d (array d real))) : array k (array d real) :=
  gradMatrix (fun p => objective x m gamma alpha mu p l) q

def gradientL {n d} {k >= 1} (x : array n (array d real)) (m : int) (gamma : real)
    (alpha : array k real) (mu : array k (array d real)) (q : array k (array d real))
    (l : array k (array d (array d real))) : array k (array d (array d real)) :=
  gradMatrices (fun p => objective x m gamma alpha mu q p) l

-- By all of them, in one program.
def gradient {n d} {k >= 1} (x : array n (array d real)) (m : int) (gamma : real)
    (alpha : array k real) (mu : array k (array d real)) (q : array k (array d real))
    (l : array k (array d (array d real)))
    : array k real * array k (array d real) * array k (array d real) * array k (array d (array d real)) :=
  (grad (fun p => objective x m gamma p mu q l) alpha,
    gradMatrix (fun p => objective x m gamma alpha p q l) mu,
    gradMatrix (fun p => objective x m gamma alpha mu p l) q,
    gradMatrices (fun p => objective x m gamma alpha mu q p) l)
