-- Arrays of derivatives, from the side that there is less of.

-- 1. Few results of a loop that carries a state, by many numbers: one loop backwards for each result.
def states {n} (x : array n real) : array 2 real :=
  ifold n (fun s i => [tanh (s[0] + x[i] * s[1]), s[1] * 0.9 + x[i]]) [0.1, 1]

def statesJacobian {n} (x : array n real) : array n (array 2 real) :=
  jacobian (fun v => states v) x

-- 2. Many results by few numbers: one loop forwards for each of these.
def path {m} (p : array 3 real) : array m real :=
  snd (scan m (fun s i => let t := tanh (p[0] * s + p[1] * real i + p[2]); (t, t)) 0)

def pathJacobian {m} (p : array 3 real) : array 3 (array m real) :=
  jacobian (fun v => path v) p

-- 3. As many results as there are rows, by the inputs of all steps of a recurrent net.
def readings {n m h t} (w : array h (array h real)) (u : array h (array n real)) (o : array m (array h real)) (x : array t (array n real)) : array m real :=
  let s := ifold t (fun s e => build h (fun k => tanh (vectorDot w[k] s + vectorDot u[k] x[e]))) (build h (fun k => 0));
  build m (fun i => vectorDot o[i] s)

def readingsJacobian {n m h t} (w : array h (array h real)) (u : array h (array n real)) (o : array m (array h real)) (x : array t (array n real)) : array t (array n (array m real)) :=
  jacobian (fun v => readings w u o v) x

-- 4. Results in a pair, one of them read at one place.
def both {n} (x : array n real) : real * array 2 real :=
  let s := ifold n (fun h i => tanh (0.5 * h + x[i])) 0;
  (s * s, [exp s, sin s * x[0 else 0]])

def bothJacobian {n} (x : array n real) : array n (real * array 2 real) :=
  jacobian (fun v => both v) x

-- 5. By a pair of an array and a number.
def ends {n} (p : array n real * real) : array 2 real :=
  let (x, c) := p;
  let s := ifold n (fun h i => tanh (c * h + x[i])) 0;
  [s * c, exp s]

def endsJacobian {n} (p : array n real * real) : array n (array 2 real) * array 2 real :=
  jacobian (fun q => ends q) p

-- 6. A Jacobian that has a name: the squares of what each number does to all results.
def squares {n} (x : array n real) : real :=
  let s := states x; vectorDot s s

def squaresJacobian {n} (x : array n real) : array n real :=
  let j := jacobian (fun v => states v) x;
  build n (fun i => vectorDot j[i] j[i])

-- 7. The Hessian of a loop that carries a state.
def series {n t} (a : array t (array n real)) (x : array n real) : real :=
  let s := ifold t (fun h e => tanh (0.5 * h + vectorDot a[e] x)) 0; s * s

def seriesHessian {n t} (a : array t (array n real)) (x : array n real) : array n (array n real) :=
  hessian (fun v => series a v) x
