-- Gradients of loops with a state: by what starts the loop and by what its step reads, loops in loops, and what is read after them.

-- 1. A loop in a loop, with one state.
def nested {n m} (a : array n real) (b : array m real) (x : real) : real :=
  ifold n (fun s i => ifold m (fun u j => tanh (u * b[j] + a[i])) s) x

def nestedGradient {n m} (a : array n real) (b : array m real) (x : real) : array n real * array m real :=
  (grad (fun p => nested p b x) a, grad (fun p => nested a p x) b)

-- 2. A chain of masses on springs, each moved by its neighbour.
def ladder {n t} (z : array t real) (k : array n real) (c : array n real) (x : array n real) : real :=
  let s := ifold t (fun s e =>
    let v := build n (fun j =>
      let up := if i : fin n := int j + 1 then s.1[i] else 0;
      s.2[j] + k[j] * (up - s.1[j]) - c[j] * s.2[j] + z[e]);
    (build n (fun j => s.1[j] + 0.1 * v[j]), v)) (x, build n (fun j => 0));
  vectorDot s.1 s.1 + vectorDot s.2 s.2

def ladderGradient {n t} (z : array t real) (k : array n real) (c : array n real) (x : array n real) : array n real * (array n real * array n real) :=
  (grad (fun p => ladder z p c x) k, (grad (fun p => ladder z k p x) c, grad (fun p => ladder z k c p) x))

-- 3. Attention over the states of a scan, by the weights and by its start, which asks as well.
def attend {h t} (z : array t (array h real)) (w : array h (array h real)) (q : array h real) : real :=
  let s := scan t (fun s e => let u := build h (fun j => tanh (vectorDot w[j] s + z[e][j])); (u, u)) q;
  let a := build t (fun e => exp (vectorDot q s.2[e]));
  let m := ifold t (fun c e => c + a[e]) 0;
  ifold t (fun c e => c + a[e] / m * s.2[e][0 else 0]) 0

def attendGradient {h t} (z : array t (array h real)) (w : array h (array h real)) (q : array h real) : array h (array h real) * array h real :=
  (grad (fun p => attend z p q) w, grad (fun p => attend z w p) q)

-- 4. Sweeps over a linear system: by the rate of each sweep, by the matrix, and by the right side, which starts it.
def sweeps {n t} (z : array t real) (a : array n (array n real)) (b : array n real) : real :=
  let s := ifold t (fun s e => build n (fun j => s[j] + z[e] * (b[j] - vectorDot a[j] s))) b;
  vectorDot s s

def sweepsGradient {n t} (z : array t real) (a : array n (array n real)) (b : array n real) : array t real * (array n (array n real) * array n real) :=
  (grad (fun p => sweeps p a b) z, (grad (fun p => sweeps z p b) a, grad (fun p => sweeps z a p) b))

-- 5. A cell whose weights data choose.
def routed {n h t} (g : array t (fin n)) (z : array t (array h real)) (w : array n (array h (array h real))) (b : array n (array h real)) (x : array h real) : real :=
  let s := ifold t (fun s e => build h (fun j => tanh (vectorDot w[g[e]][j] s + b[g[e]][j] + z[e][j]))) x;
  vectorDot s s

def routedGradient {n h t} (g : array t (fin n)) (z : array t (array h real)) (w : array n (array h (array h real))) (b : array n (array h real)) (x : array h real) : array n (array h (array h real)) * (array n (array h real) * array h real) :=
  (grad (fun p => routed g z p b x) w, (grad (fun p => routed g z w p x) b, grad (fun p => routed g z w b p) x))

-- 6. Position and velocity under forces, by the forces: no tangent needs a state, which is two numbers.
def driven {n} (goal : real) (f : array n real) : real :=
  let s := ifold n (fun s i => (s.1 + 0.1 * s.2, s.2 + 0.1 * f[i])) (0, 0);
  (s.1 - goal) * (s.1 - goal) + s.2 * s.2

def drivenGradient {n} (goal : real) (f : array n real) : array n real := grad (fun p => driven goal p) f

-- 7. Clenshaw's sum of a Chebyshev series at many points, by its coefficients and the points.
def clenshaw {m n} (x y : array m real) (c : array n real) : real :=
  ifold m (fun s i =>
    let b := ifold n (fun b k => (c[n - 1 - k] + 2 * x[i] * b.1 - b.2, b.1)) (0, 0);
    let e := b.1 - x[i] * b.2 - y[i];
    s + e * e) 0

def clenshawGradient {m n} (x y : array m real) (c : array n real) : array n real * array m real :=
  (grad (fun p => clenshaw x y p) c, grad (fun p => clenshaw p y c) x)

-- 8. A filter of a variance and a mean, whose first half needs nothing of the second, and which is kept.
def filtered {t} (y z q : array t real) : real :=
  let f := scan t (fun s i =>
    let p := s.1 + q[i];
    let k := p / (p + 1);
    (((1 - k) * p, s.2 + k * (y[i] - s.2)), s.1)) (1, 0);
  ifold t (fun a i => let e := f.2[i] - z[i]; a + e * e) f.1.2

def filteredGradient {t} (y z q : array t real) : array t real := grad (fun p => filtered y z p) q

-- 9. A fixed network of states that is read out by weights, which no state depends on.
def readOut {h t} (w : array h (array h real)) (x y : array t real) (c : array h real) : real :=
  let o := scan t (fun s i => let n := build h (fun j => tanh (vectorDot w[j] s + x[i])); (n, vectorDot c n)) (build h (fun j => 0));
  ifold t (fun a i => let e := o.2[i] - y[i]; a + e * e) 0

def readOutGradient {h t} (w : array h (array h real)) (x y : array t real) (c : array h real) : array h real := grad (fun p => readOut w x y p) c

-- 10. A walk over states that data give, by what each is worth.
def walked {n t} (next : array n (fin n)) (start : fin n) (y : array t real) (c : array n real) : real :=
  let o := scan t (fun k i => (next[k], c[k])) start;
  ifold t (fun a i => let e := o.2[i] - y[i]; a + e * e) 0

def walkedGradient {n t} (next : array n (fin n)) (start : fin n) (y : array t real) (c : array n real) : array n real := grad (fun p => walked next start y p) c

-- 11. Smoothed forwards, then backwards, again and again: where the direction is 0, the way forwards gives 0 in each round.
def smoothed {n t} (z : array t real) (u : array n real) (k : real) : real :=
  let e := ifold t (fun u s =>
    let f := scan n (fun a i => let d := u[i] + 0.5 * a; (d, d)) 0;
    (scanr n (fun x i => let v := f.2[i] - k * x; (v, v)) 0).2) u;
  vectorDot e e + vectorDot z z

def smoothedGradient {n t} (z : array t real) (u : array n real) (k : real) : array n real * real :=
  (grad (fun p => smoothed z p k) u, deriv (fun p => smoothed z u p) k)
