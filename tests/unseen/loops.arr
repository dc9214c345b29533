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
