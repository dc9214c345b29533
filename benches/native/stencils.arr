-- Stencils with nothing beyond their edges, and gradients of such.
def heat {n} (x : array n real) : array n real :=
  build n (fun i => x[i] + 0.1 * (x[i - 1 else 0] - 2 * x[i] + x[i + 1 else 0]))
def grid {m n} (x : array m (array n real)) : array m (array n real) :=
  build m (fun i => build n (fun j =>
    x[i, j] + 0.1 * (x[i - 1, j else 0] + x[i + 1, j else 0] + x[i, j - 1 else 0] + x[i, j + 1 else 0] - 4 * x[i, j])))
-- The gradient of the distances of neighbours.
def rough {n} (x : array (n + 1) real) : real :=
  ifold n (fun s k => let d := x[k + 1] - x[k]; s + d * d) 0
def roughGradient {n} (x : array (n + 1) real) : array (n + 1) real := grad rough x
