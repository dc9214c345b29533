-- Reads at indices that are moved by sizes, literals and other indices, some of them under guards.

-- Distances of neighbours.
def rough {n} (x : array (n + 1) real) : real :=
  ifold n (fun s k => let d := x[k + 1] - x[k]; s + d * d) 0
def roughGradient {n} (x : array (n + 1) real) : array (n + 1) real := grad rough x

-- Second differences, with nothing beyond the ends.
def bend {n} (x : array n real) : real :=
  ifold n (fun s k => let d := x[int k - 1 else 0] - 2 * x[k] + x[int k + 1 else 0]; s + d * d) 0
def bendGradient {n} (x : array n real) : array n real := grad bend x

-- The same inside alone.
def inner {n} (x : array (n + 2) real) : real :=
  ifold n (fun s k => let d := x[k] - 2 * x[k + 1] + x[k + 2]; s + exp d) 0
def innerGradient {n} (x : array (n + 2) real) : array (n + 2) real := grad inner x

-- A step of diffusion on a grid, far from what was measured.
def diffused {n m} (u : array (n + 2) (array (m + 2) real)) (seen : array n (array m real)) : real :=
  ifold n (fun s i => s + ifold m (fun t j =>
    let next := u[i + 1, j + 1] + 0.1 * (u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2] - 4 * u[i + 1, j + 1]);
    t + (next - seen[i, j]) * (next - seen[i, j])) 0) 0
def diffusedGradient {n m} (u : array (n + 2) (array (m + 2) real)) (seen : array n (array m real)) : array (n + 2) (array (m + 2) real) :=
  grad diffused u seen

-- The same with edges that are held at 0.
def cooled {n m} (u : array n (array m real)) (seen : array n (array m real)) : real :=
  ifold n (fun s i => s + ifold m (fun t j =>
    let sides := u[i, j - 1 else 0] + u[i, j + 1 else 0] + u[i - 1, j else 0] + u[i + 1, j else 0];
    let next := u[i, j] + 0.1 * (sides - 4 * u[i, j]);
    t + (next - seen[i, j]) * (next - seen[i, j])) 0) 0
def cooledGradient {n m} (u : array n (array m real)) (seen : array n (array m real)) : array n (array m real) :=
  grad cooled u seen

-- The area below points, by trapezoids.
def area {n} (y x : array (n + 1) real) : real :=
  ifold n (fun s k => s + (x[k + 1] - x[k]) * (y[k] + y[k + 1]) / 2) 0
def areaGradient {n} (y x : array (n + 1) real) : array (n + 1) real * array (n + 1) real :=
  (grad (fun p => area p x) y, grad (fun p => area y p) x)

-- A filter, by what it weighs with and by the signal.
def filtered {n m} (w : array m real) (x : array (n + m) real) (y : array n real) : real :=
  ifold n (fun s i => let r := ifold m (fun a k => a + w[k] * x[i + k]) 0 - y[i]; s + r * r) 0
def filteredGradient {n m} (w : array m real) (x : array (n + m) real) (y : array n real) : array m real :=
  grad filtered w x y
def signal {n m} (x : array (n + m) real) (w : array m real) (y : array n real) : real := filtered w x y
def signalGradient {n m} (x : array (n + m) real) (w : array m real) (y : array n real) : array (n + m) real :=
  grad signal x w y

-- What a signal has in common with itself backwards.
def mirrored {n} (x : array n real) : real := ifold n (fun s i => s + exp (x[i] * x[n - 1 - i])) 0
def mirroredGradient {n} (x : array n real) : array n real := grad mirrored x

-- The total variation of an image.
def variation {n m} (x y : array (n + 1) (array (m + 1) real)) : real :=
  ifold (n + 1) (fun s i => s + ifold (m + 1) (fun t j => t + (x[i, j] - y[i, j]) * (x[i, j] - y[i, j])) 0) 0
  + ifold n (fun s i => s + ifold m (fun t j =>
      let a := x[i + 1, j] - x[i, j];
      let b := x[i, j + 1] - x[i, j];
      t + sqrt (a * a + b * b + 1e-3)) 0) 0
def variationGradient {n m} (x y : array (n + 1) (array (m + 1) real)) : array (n + 1) (array (m + 1) real) :=
  grad variation x y

-- A flat image, whose rows stand one after the other.
def rowsApart {n m} (v : array (n * m) real) (w : array n (array m real)) : real :=
  ifold n (fun s i => s + ifold m (fun t j => let d := v[i * m + j] - w[i, j]; t + d * d) 0) 0
def rowsApartGradient {n m} (v : array (n * m) real) (w : array n (array m real)) : array (n * m) real := grad rowsApart v w
