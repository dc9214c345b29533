-- Every form of the table of terms.

def variable (x : real) : real := x
-- prints variable : fun (x : real) => x
def application (f : real -> int -> real) : int -> real := f 1
-- prints application : fun (f : real -> int -> real) => f 1
def lambda : real -> real := λ x. x + 1
-- eval lambda {"x": 1} = 2.0
def lambdas : real -> real -> real := λ x y. x - y
-- eval lambdas {"x": 1, "y": 2} = -1.0
def fun_many : real -> int -> real := fun x y => x + real y
-- eval fun_many {"x": 1, "y": 2} = 3.0
def fun_typed := fun (x y : real) (k : int) => x + y * real k
-- type fun_typed : real -> real -> int -> real
-- eval fun_typed {"x": 1, "y": 2, "k": 3} = 7.0
def fun_mixed := fun x (y : real) => x * y
-- type fun_mixed : real -> real -> real
def let_plain (x : real) : real := let y := x * x; y + y
-- prints let_plain : fun (x : real) => let y := x * x; y + y
def let_typed (x : real) : int := let k : int := 3; k
-- eval let_typed {"x": 1} = 3
def if_then (c : int) (x : real) : real := if c then x else -x
-- prints if_then : fun (c : int) (x : real) => if c then x else -x
def ifold_all (n0 : real) : int := ifold 4 (fun a i => a * 10 + int i) 0
-- eval ifold_all {"n0": 0} = 123
def build_all : array 3 int := build 3 (fun i => int i * int i)
-- eval build_all {} = [0, 1, 4]
def empty : array 0 real := []
-- eval empty {} = []
def empty_int : array 0 int := build 0 (fun i => int i)
-- eval empty_int {} = []
def tuple (x : real) : real * int * array 1 real := (x, 2, [x])
-- eval tuple {"x": 1} = [1.0, [2, [1.0]]]
def right_nested (x : real) : real * (int * array 1 real) := (x, (2, [x]))
-- same tuple right_nested
def halves (p : real * int) : int * real := (snd p, fst p)
def halves_postfix (p : real * int) : int * real := (p.2, p.1)
-- same halves halves_postfix
-- eval halves {"p": [1, 2]} = [2, 1.0]
def ints (a b : int) : int * int * int * int := (a + b, a - b, a * b, -a)
-- eval ints {"a": 7, "b": 2} = [9, [5, [14, -7]]]
def functions (x : real) : array 6 real := [exp x, log x, sqrt x, sin x - sin x, abs (-x), tanh 0]
-- near functions {"x": 1} = [2.718281828459045, 0.0, 1.0, 0.0, 1.0, 0.0]
def gamma : real * real := (lgamma 5, digamma 1)
-- near gamma {} = [3.178053830347946, -0.5772156649015329]
def powers (x : real) (k : int) : array 3 real := [pow x k, pow x 2, pow x (-1)]
-- eval powers {"x": 2, "k": 5} = [32.0, 4.0, 0.5]
def power_fin (x : real) : array 3 real := build 3 (fun i => pow x i)
-- eval power_fin {"x": 3} = [1.0, 3.0, 9.0]
def extremes (x y : real) : real * real := (min x y, max x y)
-- eval extremes {"x": 1, "y": 2} = [1.0, 2.0]
def logic (a b : int) : array 3 int := [a && b, a || b, not a]
-- eval logic {"a": 3, "b": 5} = [1, 1, 0]
-- eval logic {"a": 0, "b": 5} = [0, 1, 1]
def conversions : array 2 real * array 2 int * real := (build 2 (fun i => real i), build 2 (fun i => int i), real (2 : int))
-- eval conversions {} = [[0.0, 1.0], [[0, 1], 2.0]]
def ascription (x : real) : real := ((x : real) + (1 : real) : real)
-- eval ascription {"x": 1} = 2.0
def holes (v : array 3 real) : array 3 real := build _ (fun i => v[i])
-- eval holes {"v": [1, 2, 3]} = [1.0, 2.0, 3.0]
def fold_hole (v : array 3 real) : real := ifold _ (fun a i => a + v[i]) 0
-- eval fold_hole {"v": [1, 2, 3]} = 6.0
def unused : array 2 real := build 2 (fun _ => 1)
-- prints unused : build 2 (fun _ => 1)
def unused_many : real -> real -> real := fun _ _ => 1
-- eval unused_many {"_": 1, "_1": 2} = 1.0
def unused_let (x : real) : real := let _ := x; x
-- eval unused_let {"x": 1} = 1.0
def unused_param (_ : real) (x : real) : real := x
-- eval unused_param {"_": 1, "x": 2} = 2.0
def higher (x : real) : real := (fun f => f (f x)) (fun y => y * y)
-- eval higher {"x": 3} = 81.0
def curried (x : real) : real := let add := fun a b => a + b; let inc := add 1; inc x
-- eval curried {"x": 3} = 4.0
def fold_pair {n} (v : array n real) : real * real := ifold n (fun a i => (a.1 + v[i], a.2 * v[i])) (0, 1)
-- eval fold_pair {"v": [2, 3]} = [5.0, 6.0]
def fold_array {n} (v : array n real) : array n real := ifold n (fun a i => build n (fun j => a[j] + v[i])) v
-- eval fold_array {"v": [1, 2]} = [4.0, 5.0]
def size_compound {n m} (v : array n real) (w : array m real) : array (n + 2 * m) int := build (n + 2 * m) (fun i => int i)
-- eval size_compound {"v": [1], "w": [1]} = [0, 1, 2]
