-- What shadows what, among sizes, types, parameters, definitions and the prelude.

def n := 5
def size_first {n} (v : array n real) : int := n
-- eval size_first {"v": [1]} = 1
def no_size (x : real) : real := x * n
-- eval no_size {"x": 2} = 10.0
def parameter_first (n : int) : int := n
-- eval parameter_first {"n": 3} = 3
def parameter_over_size {n} (v : array n real) (n : int) : int := n
-- eval parameter_over_size {"v": [1], "n": 7} = 7
def size_in_type {n} (n : array n real) : int := ifold n (fun s i => s + 1) 0
-- eval size_in_type {"n": [1, 2]} = 2
def local_over_definition (x : real) : real := let n := x; n + n
-- eval local_over_definition {"x": 1} = 2.0
def fun_over_definition (x : real) : real := (fun n => n + 1) x
-- eval fun_over_definition {"x": 1} = 2.0
def e (x : real) : real := x
def exponent_names (e : real) : real := e * 1e1 - e
-- eval exponent_names {"e": 1} = 9.0
def grad {n} (v : array n real) : array n real := v
def own_grad {n} (v : array n real) : array n real := grad v
-- eval own_grad {"v": [1]} = [1.0]
def prelude_still_works {k} (v : array k real) : array k real := lossGrad (fun x y p => vectorDot p p) v v v
-- eval prelude_still_works {"v": [1, 2]} = [2.0, 4.0]
def unfolding_keeps_scope (v : array 1 real) : real := let vectorSum := 3; let acc := 10; vectorDot v v + vectorSum + acc
-- eval unfolding_keeps_scope {"v": [2]} = 17.0
def unfolding_keeps_parameters (v w : array 2 real) : real := vectorDot w v + vectorDot (vectorSMul v 2) w
-- eval unfolding_keeps_parameters {"v": [1, 2], "w": [3, 4]} = 33.0
def types_and_values {a : type} (a : a) : a := a
def use_types_and_values : int := types_and_values 3
-- eval use_types_and_values {} = 3
