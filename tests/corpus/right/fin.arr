-- Sums and offsets of indices, and comparisons.

def pairwise {n m} (i : fin n) (j : fin m) : fin (n + m) := i + j
-- type pairwise : fin n -> fin m -> fin (m + n)
-- eval pairwise {"i": 2, "j": 3, "n": 4, "m": 5} = 5
def offset {n} (i : fin n) : fin (n + 3) := i + 3
-- eval offset {"i": 2, "n": 4} = 5
def offset_left {n} (i : fin n) := 3 + i
-- same offset offset_left
def many {n} (v : array (n + 3) real) : array n real := build n (fun i => v[i + 1 + 2] - v[1 + (i + 2)])
-- eval many {"v": [1, 2, 5, 9]} = [0.0]
def next {n} (v : array (n + 1) real) : array n real := build n (fun i => v[i + 1])
-- eval next {"v": [1, 2, 5]} = [2.0, 5.0]
-- eval next {"v": [1]} = []
def convolve {n k} (v : array (n + k) real) (w : array (k + 1) real) : array n real :=
  build n (fun i => ifold k (fun acc j => acc + w[j + 1] * v[i + j]) 0)
-- eval convolve {"v": [1, 2, 3], "w": [0, 1, 10]} = [21.0]
def halves {n m} (v : array (n + m) real) (w : array n real) : array m real := build m (fun j => ifold n (fun a i => a + v[i + j]) 0)
-- eval halves {"v": [1, 2, 3], "w": [0]} = [1.0, 2.0]
def any_two_sizes {n m} (i : fin n) (j : fin m) : array 6 int := [i < j, i <= j, i > j, i >= j, i = j, i != j]
-- eval any_two_sizes {"i": 1, "j": 2, "n": 2, "m": 9} = [1, 1, 0, 0, 0, 1]
def with_literal {n} (i : fin n) : array 3 int := [i = 0, 0 < i, i >= 2]
-- eval with_literal {"i": 1, "n": 2} = [0, 1, 0]
def literal_left {n >= 3} (i : fin n) : int := 2 = i
-- eval literal_left {"i": 2, "n": 3} = 1
def literal_at_zero (i : fin 2) : array 2 int := [i = 1, i < 5]
-- eval literal_at_zero {"i": 1} = [1, 1]
def first_only {n} (v : array n real) : array n real := build n (fun i => if i = 0 then v[i] else 0)
-- eval first_only {"v": [1, 2]} = [1.0, 0.0]
-- eval first_only {"v": []} = []
def under_untyped {n} (v : array n real) : array n int := build n (fun i => (fun k => k < 1) i)
-- eval under_untyped {"v": [1, 2]} = [1, 0]
def ints (a b : int) : array 2 int := [a < b, a = 3]
-- eval ints {"a": 3, "b": 4} = [1, 1]
def reals (a b : real) : array 2 int := [a <= b, a != 3]
-- eval reals {"a": 3, "b": 4} = [1, 0]
def nan (x : real) : array 3 int := [x = x, x != x, x < x]
-- eval nan {"x": "NaN"} = [0, 1, 0]
def int_of_fin {n} (i : fin n) : int := int i + 1
-- eval int_of_fin {"i": 1, "n": 2} = 2
def fold_index {n >= 1} (v : array n real) : fin n := ifold n (fun best i => if v[i] > v[best] then i else best) 0
-- eval fold_index {"v": [1, 3, 2]} = 1
def offset_let {n} (v : array (n + 1) real) : array n real := build n (fun i => let j := i + 1; v[j])
-- eval offset_let {"v": [1, 3, 2]} = [3.0, 2.0]
def offset_later {n} (v : array (n + 1) real) : array n real := build n (fun i => (fun j => v[j]) (i + 1))
-- eval offset_later {"v": [1, 3, 2]} = [3.0, 2.0]
def step_untyped {n} (v : array (n + 1) real) : array n real := let next := fun i => v[i + 1]; build n next
-- eval step_untyped {"v": [1, 3, 2]} = [3.0, 2.0]
def fixed (v : array 5 real) : real := v[(1 : fin 3) + 2]
-- eval fixed {"v": [1, 2, 3, 4, 5]} = 4.0
