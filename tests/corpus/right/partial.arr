-- A primitive or a definition that isn't applied in full is the function.

def bare : real -> real := sin
-- eval bare {"x": 0} = 0.0
def binary : real -> real -> real := max
-- eval binary {"x": 1, "y": 2} = 2.0
def one_of_two (y : real) : real := let f := max 3; f y
-- eval one_of_two {"y": 5} = 5.0
def power : int -> real := pow 2
-- type power : int -> real
def use_power : real := power 3
-- eval use_power {} = 8.0
def mapped {n} (v : array n real) : array n real := vectorMap v exp
-- eval mapped {"v": [0, 0]} = [1.0, 1.0]
def mapped_fst {n} (v : array n (real * int)) : array n int := vectorMap v snd
-- eval mapped_fst {"v": [[1, 2]]} = [2]
def mapped_real {n} (v : array n int) : array n real := vectorMap v real
-- eval mapped_real {"v": [1, 2]} = [1.0, 2.0]
def built_real : array 3 real := build 3 real
-- eval built_real {} = [0.0, 1.0, 2.0]
def built_int : array 3 int := build 3 int
-- eval built_int {} = [0, 1, 2]
def builder (f : fin 2 -> real) : array 2 real := let b := build 2; b f
def use_builder : array 2 real := builder (fun i => real i + 1)
-- eval use_builder {} = [1.0, 2.0]
def folder {n} (v : array n real) : real := let s := ifold n (fun a i => a + v[i]); s 10
-- eval folder {"v": [1, 2]} = 13.0
def fold_bare {n} (v : array n real) : real := (fun f => f (fun a i => a + v[i]) 1) (ifold n)
-- eval fold_bare {"v": [1, 2]} = 4.0
def add3 (x y z : real) : real := x + y * z
def partly (z : real) : real := let f := add3 1 2; f z
-- eval partly {"z": 3} = 7.0
def by_name {n} (v : array n real) : array n real := vectorMap v (add3 1 2)
-- eval by_name {"v": [3]} = [7.0]
def not_applied {n} (v w : array n real) : array n real := vectorMap2 v w min
-- eval not_applied {"v": [3, 1], "w": [2, 2]} = [2.0, 1.0]
def as_result : array 2 real -> real := vectorSum
-- eval as_result {"v": [3, 4]} = 7.0
def over_applied (x : real) : real := (fun f => f) sin x
-- eval over_applied {"x": 0} = 0.0
def returns_function (x : real) : real -> real := fun y => x - y
def applied_further (x : real) : real := returns_function x 2
-- eval applied_further {"x": 3} = 1.0
def pow_in_full (x : real) : real := let p := pow; p x 2
-- eval pow_in_full {"x": 3} = 9.0
def bare_abs {n} (v : array n real) : real := vectorSum (vectorMap v abs)
-- eval bare_abs {"v": [-1, 2]} = 3.0
