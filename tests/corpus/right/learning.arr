-- Functions under D in larger programs: descent, Newton's method, losses with data, static functions in loops.

def step {n} (loss : array n real -> real) (rate : real) (v : array n real) : array n real :=
  vectorAdd v (vectorSMul (grad loss v) (-rate))
-- open step
def descend {n} (loss : array n real -> real) (v : array n real) : array n real :=
  ifold 50 (fun w i => step loss 0.25 w) v
-- open descend
def bowl {n} (centre v : array n real) : real := ifold n (fun s i => let d := v[i] - centre[i]; s + d * d) 0
def nearest {n} (centre v : array n real) : array n real := descend (bowl centre) v
-- near nearest {"centre": [1, 2], "v": [5, 5]} = [1.0000000000000036, 2.0000000000000027]
def newton (f : real -> real) (x : real) : real := ifold 20 (fun y i => y - f y / deriv f y) x
-- open newton
def root (a : real) : real := newton (fun y => y * y - a) a
-- near root {"a": 2} = 1.4142135623730951
def by_map {n} (f : real -> real) (v : array n real) : array n real := vectorMap v (fun x => deriv f x)
-- open by_map
def slopes {n} (v : array n real) : array n real := by_map (fun x => x * x) v
-- eval slopes {"v": [1, 2]} = [2.0, 4.0]
def renamed (f : real -> real) (x : real) : real := let g := f; let h := g; deriv h x
-- open renamed
def use_renamed (x : real) : real := renamed tanh x
-- near use_renamed {"x": 0} = 1.0
def make (a : real) : real -> real := fun x => a * x * x
def of_made (x : real) : real := deriv (make 3) x
-- eval of_made {"x": 2} = 12.0
def named_function : real -> real := fun x => x * x * x
def of_named (x : real) : real := deriv named_function x + snd (D named_function (x, 1))
-- eval of_named {"x": 1} = 6.0
def captured {n} (v : array n real) : array n real :=
  let f := fun a x => a * x * x;
  build n (fun i => let g := f v[i]; deriv (fun x => g x + f x x) 1)
-- eval captured {"v": [1, 2]} = [5.0, 7.0]
def power_by_index {n} (x : real) (v : array n real) : array n real := build n (fun i => deriv (fun y => v[i] * pow y i) x)
-- eval power_by_index {"x": 2, "v": [1, 1, 1]} = [0.0, 1.0, 4.0]
def uses_size {n} (v : array n real) : array n real := grad (fun w => vectorSum w / real n) v
-- eval uses_size {"v": [1, 2]} = [0.5, 0.5]
def by_first (x y : real) : real := deriv (fun a => a / y) x
-- eval by_first {"x": 1, "y": 4} = 0.25
def network {a b n} (x : array a real) (y : array b real) (p : array n real) : real :=
  let prediction := build b (fun j => tanh (vectorSum p * vectorSum x));
  let r := vectorAdd prediction (vectorSMul y (-1));
  vectorDot r r
def network_gradient {a b n} (x : array a real) (y : array b real) (p : array n real) : array n real := lossGrad network x y p
-- eval network_gradient {"x": [1], "y": [0], "p": [0, 0]} = [0.0, 0.0]
def partial_network {a b n} (scale : real) (x : array a real) (y : array b real) (p : array n real) : real := scale * network x y p
def scaled_gradient {a b n} (s : real) (x : array a real) (y : array b real) (p : array n real) : array n real :=
  lossGrad (partial_network s) x y p
-- eval scaled_gradient {"s": 2, "x": [1], "y": [1], "p": [0]} = [-4.0]
def hessian {n} (f : array n real -> real) (v : array n real) : array n (array n real) := jacobian (grad f) v
-- open hessian
def hessian_of {n} (c v : array n real) : array n (array n real) :=
  hessian (fun w => ifold n (fun s i => s + c[i] * w[i] * w[i]) 0) v
-- eval hessian_of {"c": [1, 2], "v": [3, 4]} = [[2.0, 0.0], [0.0, 4.0]]
def third (x : real) : real := deriv (deriv (deriv (fun y => pow y 4))) x
-- eval third {"x": 2} = 48.0
def matrix_loss {n m} (a : array n (array m real)) (x : array m real) : array n (array m real) :=
  gradMatrix (fun b => vectorNorm (matrixVectorMul b x)) a
-- near matrix_loss {"a": [[1, 0], [0, 1]], "x": [3, 4]} = [[1.8, 2.4], [2.4, 3.2]]
def integer_data {n} (k : array n int) (x : real) : real := deriv (fun y => ifold n (fun s i => s + real k[i] * pow y k[i]) 0) x
-- eval integer_data {"k": [1, 2], "x": 3} = 13.0
def dual_values {n} (v : array n (real * real)) : array n (real * real) := vectorMap v (D exp)
-- eval dual_values {"v": [[0, 2]]} = [[1.0, 2.0]]
def lifted_pairs {n} (p : array n (real * int)) (x : real) : real := deriv (fun y => ifold n (fun s i => s + y * p[i].1 * real p[i].2) 0) x
-- eval lifted_pairs {"p": [[2, 3]], "x": 1} = 6.0
