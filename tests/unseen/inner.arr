-- Gradients that the result is computed from.

def loss {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : real :=
  ifold n (fun s i => let r := vectorDot x[i] w - y[i]; s + tanh r * r) 0

-- 1. The norm of a gradient, which stands in the sum.
def steepness {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : real :=
  ifold d (fun s i => let g := grad (fun p => loss x y p) w; s + g[i] * g[i]) 0

def steepnessGradient {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : array d real :=
  grad (fun p => steepness x y p) w

-- 2. A step down the clipped gradient.
def clipped {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : real :=
  let g := grad (fun p => loss x y p) w;
  let s := sqrt (1 + vectorDot g g);
  loss x y (build d (fun i => w[i] - (if s > 2 then g[i] / s else g[i])))

def clippedGradient {n d} (x : array n (array d real)) (y : array n real) (w : array d real) : array d real :=
  grad (fun p => clipped x y p) w

-- 3. Twenty steps of a solver, by where they begin and by how long they are.
def trained {n d} (x : array n (array d real)) (y : array n real) (rate : real) (w : array d real) : real :=
  loss x y (ifold 20 (fun w t => let g := grad (fun p => loss x y p) w; build d (fun i => w[i] - rate * g[i])) w)

def trainedGradient {n d} (x : array n (array d real)) (y : array n real) (rate : real) (w : array d real) : array d real :=
  grad (fun p => trained x y rate p) w

def trainedRate {n d} (x : array n (array d real)) (y : array n real) (rate : real) (w : array d real) : real :=
  trained x y (exp rate) w

def trainedRateDirection {n d} (x : array n (array d real)) (y : array n real) (rate : real) (w : array d real) : real :=
  deriv (fun r => trainedRate x y r w) rate

-- 4. A Hessian by a vector, as the direction of a gradient.
def slope {n d} (x : array n (array d real)) (y : array n real) (v w : array d real) : real :=
  ifold d (fun s i => s + v[i] * (grad (fun p => loss x y p) w)[i]) 0

def slopeGradient {n d} (x : array n (array d real)) (y : array n real) (v w : array d real) : array d real :=
  grad (fun p => slope x y v p) w
