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
-- The area under points, by their heights.
def trapezoid {n} (x : array (n + 1) real) (y : array (n + 1) real) : real :=
  ifold n (fun s k => s + (x[k + 1] - x[k]) * (y[k] + y[k + 1]) * 0.5) 0
def trapezoidGradient {n} (x : array (n + 1) real) (y : array (n + 1) real) : array (n + 1) real := grad (trapezoid x) y
-- Squares of a convolution, by its kernel and by its signal.
def filtered {n m} (x : array (n + m) real) (w : array m real) : real :=
  ifold n (fun s i => let c := ifold m (fun t j => t + x[i + j] * w[j]) 0; s + c * c) 0
def kernelGradient {n m} (x : array (n + m) real) (w : array m real) : array m real := grad (filtered x) w
def signalGradient {n m} (x : array (n + m) real) (w : array m real) : array (n + m) real := grad (fun x => filtered x w) x
-- A sum that reads from the end on.
def mirrored {n} (w : array n real) (x : array n real) : real := ifold n (fun s i => s + w[i] * x[n - 1 - i] * x[n - 1 - i]) 0
def mirroredGradient {n} (w : array n real) (x : array n real) : array n real := grad (mirrored w) x
-- Five points: in a row, and in a grid.
def curved {n} (x : array (n + 4) real) : real :=
  ifold n (fun s i => let d := x[i] - 4 * x[i + 1] + 6 * x[i + 2] - 4 * x[i + 3] + x[i + 4]; s + d * d) 0
def curvedGradient {n} (x : array (n + 4) real) : array (n + 4) real := grad curved x
def bent {m n} (x : array (m + 2) (array (n + 2) real)) : real :=
  ifold m (fun s i => ifold n (fun s j =>
    let d := x[i, j + 1] + x[i + 2, j + 1] + x[i + 1, j] + x[i + 1, j + 2] - 4 * x[i + 1, j + 1]; s + d * d) s) 0
def bentGradient {m n} (x : array (m + 2) (array (n + 2) real)) : array (m + 2) (array (n + 2) real) := grad bent x
-- Sums that read where data say: as many as there are elements, at two places of an array at once, and by a table.
def placed {n} (k : array n (fin n)) (y : array n real) (x : array n real) : real :=
  ifold n (fun s e => let d := x[k[e]] - y[e]; s + d * d) 0
def placedGradient {n} (k : array n (fin n)) (y : array n real) (x : array n real) : array n real := grad (placed k y) x
def edges {n m} (k l : array m (fin n)) (x : array n real) : real :=
  ifold m (fun s e => let d := x[k[e]] - x[l[e]]; s + d * d) 0
def edgesGradient {n m} (k l : array m (fin n)) (x : array n real) : array n real := grad (edges k l) x
def tabled {n m} (k : array m (fin n)) (w : array m real) (x : array n real) : real :=
  let t := build m (fun e => x[k[e]] * w[e]); ifold m (fun s e => s + t[e] * t[e]) 0
def tabledGradient {n m} (k : array m (fin n)) (w : array m real) (x : array n real) : array n real := grad (tabled k w) x
