-- Indices that are computed: shifted, reversed, with strides, of rows laid end to end.

def reversed {n} (v : array n real) : array n real := build n (fun i => v[n - 1 - i])
-- eval reversed {"v": [1, 2, 4]} = [4.0, 2.0, 1.0]
-- eval reversed {"v": []} = []
def bound_reversed {n} (v : array n real) : array n real := build n (fun i => let k := n - 1 - i; v[k] * real k)
-- eval bound_reversed {"v": [1, 2, 4]} = [8.0, 2.0, 0.0]
def steps {n} (x : array (n + 1) real) : array n real := build n (fun k => x[k + 1] - x[k])
-- eval steps {"x": [1, 2, 4, 8]} = [1.0, 2.0, 4.0]
-- eval steps {"x": [1]} = []
def bends {n} (x : array (n + 2) real) : array n real := build n (fun k => x[k] - 2 * x[k + 1] + x[k + 2])
-- eval bends {"x": [1, 2, 4, 8]} = [1.0, 2.0]
def odd {n} (v : array (2 * n) real) : array n real := build n (fun i => v[2 * i + 1])
-- eval odd {"v": [1, 2, 3, 4]} = [2.0, 4.0]
def rows {m} (v : array (2 * m) real) : array 2 (array m real) := build 2 (fun i => build m (fun j => v[i * m + j]))
-- eval rows {"v": [1, 2, 3, 4, 5, 6]} = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
def flat {n m} (a : array n (array m real)) : array (n * m) real := build (n * m) (fun k => a[k / m, k % m])
-- eval flat {"a": [[1, 2, 3], [4, 5, 6]]} = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
def turned {n m} (a : array n (array m real)) : array n (array m real) :=
  build n (fun i => build m (fun j => a[n - 1 - i, m - 1 - j]))
-- eval turned {"a": [[1, 2, 3], [4, 5, 6]]} = [[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]]
def final {n >= 1} (v : array n real) : real := v[n - 1]
-- eval final {"v": [1, 2, 4]} = 4.0
def roughness {n} (x : array (n + 1) real) : real := vectorSum (build n (fun k => (x[k + 1] - x[k]) * (x[k + 1] - x[k])))
def roughness_gradient {n} (x : array (n + 1) real) : array (n + 1) real := grad roughness x
-- eval roughness_gradient {"x": [1, 2, 4]} = [-2.0, -2.0, 4.0]
def bending {n} (x : array (n + 2) real) : real :=
  vectorSum (build n (fun k => let b := x[k] - 2 * x[k + 1] + x[k + 2]; b * b))
def bending_gradient {n} (x : array (n + 2) real) : array (n + 2) real := grad bending x
-- eval bending_gradient {"x": [1, 2, 4, 8]} = [2.0, 0.0, -6.0, 4.0]
def folded {n} (v : array n real) : real := vectorSum (build n (fun i => v[i] * v[i] * v[n - 1 - i]))
def folded_gradient {n} (v : array n real) : array n real := grad folded v
-- eval folded_gradient {"v": [1, 2, 3]} = [15.0, 12.0, 7.0]
def paired {n} (v : array (2 * n) real) : real := vectorSum (build n (fun i => v[2 * i] * v[2 * i] * v[2 * i + 1]))
def paired_gradient {n} (v : array (2 * n) real) : array (2 * n) real := grad paired v
-- eval paired_gradient {"v": [1, 2, 3, 4]} = [4.0, 1.0, 24.0, 9.0]
def mirror {n} (i : fin n) : fin n := n - 1 - i
def twice_mirrored {n} (v : array n real) : array n real := build n (fun i => v[mirror (mirror i)])
-- eval twice_mirrored {"v": [1, 2, 4]} = [1.0, 2.0, 4.0]
def wider {n} (i : fin n) : fin (n + 1) := i
def all_but_last {n} (x : array (n + 1) real) : array n real := build n (fun i => x[wider i])
-- eval all_but_last {"x": [1, 2, 4]} = [1.0, 2.0]
def products {n} (x : array (n * n + 1) real) : array n real := build n (fun i => x[i * i])
-- eval products {"x": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]} = [0.0, 1.0, 4.0]
def last_one {n} (v : array n real) : array n int := build n (fun i => if n - 1 <= i then 1 else 0)
-- eval last_one {"v": [1, 2, 4]} = [0, 0, 1]
