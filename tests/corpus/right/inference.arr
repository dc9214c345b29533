-- Inference: types flow through lets, functions, sizes and D; results and parameters may be left to it.

def result {n} (v : array n real) := ifold n (fun a i => a + v[i]) 0
-- type result : array n real -> real
def inferred_parameter := fun v => vectorSum v + vectorSum [1, 2] * v[(2 : fin 3)]
-- type inferred_parameter : array 3 real -> real
def untyped_fun {n} (v : array n real) : array n real := build n (fun i => (fun f x => f x + 1) (fun y => y * 2) v[i])
-- eval untyped_fun {"v": [1, 2]} = [3.0, 5.0]
def late (x : real) : real := let f := fun p => p.1 + p.2; f (x, 1)
-- eval late {"x": 1} = 2.0
def late_array (v : array 2 real) : real := let f := fun w i => w[i]; f v 1
-- eval late_array {"v": [1, 2]} = 2.0
def late_function (x : real) : real := (fun f => f x) (fun y => y * y)
-- eval late_function {"x": 3} = 9.0
def fill_size {n} (v : array n real) : real := vectorDot v (vectorFill 2)
-- eval fill_size {"v": [1, 2]} = 6.0
def fill_in_let {n} (v : array n real) : real := let ones := vectorFill 1; vectorDot ones v
-- eval fill_in_let {"v": [1, 2]} = 3.0
def compose {a : type} {b : type} {c : type} (f : a -> b) (g : b -> c) (x : a) : c := g (f x)
def use_compose (k : int) : real := compose (fun j => j + 1) real k
-- eval use_compose {"k": 1} = 2.0
def polymorphic_twice (x : real) (k : int) : real * int := (compose (fun y => y) (fun y => y) x, compose (fun y => y) (fun y => y) k)
-- eval polymorphic_twice {"x": 1, "k": 2} = [1.0, 2]
def identity {a : type} (x : a) : a := x
def identities (x : real) : real * int := (identity x, identity (identity 3))
-- type identities : real -> real * int
-- eval identities {"x": 1} = [1.0, 3]
def if_decides (c : int) (k : int) := if c then 0 else k
-- type if_decides : int -> int -> int
def ascribed_hole (v : array 3 real) := (v : array _ real)
-- type ascribed_hole : array 3 real -> array 3 real
def D_backwards (x : real * real) : real * real := D (fun y => y + 1) x
-- eval D_backwards {"x": [1, 2]} = [2.0, 2.0]
def D_through_use {n} (v : array n (real * real)) : real * real := (fun f => f v) (D (fun w => ifold n (fun a i => a + w[i]) 0))
-- eval D_through_use {"v": [[1, 2], [3, 4]]} = [4.0, 6.0]
def D_of_untyped {n} (v : array n real) : array n real := build n (fun i => snd (D (fun w => w * w * 3) (v[i], 1)))
-- eval D_of_untyped {"v": [1, 2]} = [6.0, 12.0]
def operator_late (k : int) := (fun a b => a * b - a) k k
-- type operator_late : int -> int
def compare_late (k : int) := (fun a b => a < b) k 3
-- eval compare_late {"k": 2} = 1
def minus_late (k : int) := (fun a => -a) k
-- eval minus_late {"k": 2} = -2
def real_late {n} (v : array n real) := build n (fun i => (fun j => real j) i)
-- eval real_late {"v": [5, 6]} = [0.0, 1.0]
def array_of_functions (x : real) := build 2 (fun i => [sin, fun y => y * 2][i] x)
-- eval array_of_functions {"x": 0} = [0.0, 0.0]
