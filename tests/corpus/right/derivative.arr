-- D of everything that has one.

def of_lambda (x : real) : real := snd ((D (fun y => y * y)) (x, 1))
-- eval of_lambda {"x": 3} = 6.0
def square (x : real) : real := x * x
def of_definition (x : real) : real := snd (D square (x, 1))
-- eval of_definition {"x": 3} = 6.0
def of_primitive (x : real) : real := snd (D exp (x, 1))
-- eval of_primitive {"x": 0} = 1.0
def of_binary (x : real) : real := snd (D max (x, 1) (2, 5))
-- eval of_binary {"x": 3} = 1.0
-- eval of_binary {"x": 1} = 5.0
def scaled (a x : real) : real := a * x * x
def of_partial (a x : real) : real := snd (D (scaled a) (x, 1))
-- eval of_partial {"a": 2, "x": 3} = 12.0
def of_partial_primitive (a x : real) : real := snd (D (max a) (x, 1))
-- eval of_partial_primitive {"a": 2, "x": 3} = 1.0
def of_let_bound (a x : real) : real := let f := fun y => a * y; snd (D f (x, 1))
-- eval of_let_bound {"a": 2, "x": 3} = 2.0
def of_let_chain (x : real) : real := let f := fun y => y * y; let g := fun y => f (f y); let h := g; snd (D h (x, 1))
-- eval of_let_chain {"x": 2} = 32.0
def of_let_inside (x : real) : real := snd (D (let a := 3; fun y => a * y) (x, 1))
-- eval of_let_inside {"x": 2} = 3.0
def of_data (x : real) : real * real := D x
-- eval of_data {"x": 2} = [2.0, 0.0]
-- prints of_data : fun (x : real) => (x, 0)
def of_vector {n} (v : array n real) : array n (real * real) := D v
-- eval of_vector {"v": [1, 2]} = [[1.0, 0.0], [2.0, 0.0]]
def of_everything (p : real * int * array 1 real) : (real * real) * int * array 1 (real * real) := D p
-- eval of_everything {"p": [1, [2, [3]]]} = [[1.0, 0.0], [2, [[3.0, 0.0]]]]
def of_sum (x y : real) : real * real := D (x + y)
-- eval of_sum {"x": 1, "y": 2} = [3.0, 0.0]
def of_index {n} (v : array n real) (i : fin n) : real * real := D v[i]
-- prints of_index : fun (v : array n real) (i : fin n) => (v[i], 0)
def of_free_data {n} (v : array n real) (x : real) : real := snd (D (fun y => ifold n (fun a i => a + v[i] * y) 0) (x, 1))
-- eval of_free_data {"v": [1, 2], "x": 5} = 3.0
def of_constant : real * real := D 2.5
-- eval of_constant {} = [2.5, 0.0]
def of_int : int := D (2 : int)
-- eval of_int {} = 2
def twice (x : real) : real := ((D (D (fun y => y * y * y)) ((x, 1), (1, 0))).2).2
-- eval twice {"x": 2} = 12.0
def thrice (x : real) : real := (D (D (D (fun y => y * y * y))) (((x, 1), (1, 0)), ((1, 0), (0, 0)))).2.2.2
-- eval thrice {"x": 2} = 6.0
def twice_free (a x : real) : real := (D (D (fun y => a * y * y)) ((x, 1), (1, 0))).2.2
-- eval twice_free {"a": 5, "x": 2} = 10.0
def nested (x : real) : real := deriv (fun y => y * deriv (fun z => y * z * z) y) x
-- eval nested {"x": 2} = 24.0
def perturbation (x : real) : real := deriv (fun y => y * deriv (fun z => y + z) 1) x
-- eval perturbation {"x": 1} = 1.0
def D_of_type (f : real -> real) (x : real) : real * real := D f (x, 1)
-- open D_of_type
-- type D_of_type : (real -> real) -> real -> real * real
def D_determines := D (fun x y => x * y) (2, 1) (3, 0)
-- type D_determines : real * real
-- eval D_determines {} = [6.0, 3.0]
def D_of_fold {n} (v : array n real) : real := snd (D vectorSum (build n (fun i => (v[i], 1))))
-- eval D_of_fold {"v": [1, 2]} = 2.0
def D_of_branch (x : real) : real := snd (D (fun y => if y > 0 then y * y else -y) (x, 1))
-- eval D_of_branch {"x": 3} = 6.0
-- eval D_of_branch {"x": -3} = -1.0
def D_of_pair (x : real) : real := snd (D (fun p => fst p * snd p) ((x, 1), (4, 0)))
-- eval D_of_pair {"x": 3} = 4.0
def D_of_higher (x : real) : real := snd (D (fun f y => f (f y)) (fun z => (fst z * 2, snd z * 2)) (x, 1))
-- eval D_of_higher {"x": 3} = 4.0
def D_of_index {n} (v : array n real) : array n real := build n (fun i => snd (D (fun w j => w[j]) (zip v (oneHot i)) i))
-- eval D_of_index {"v": [7, 8]} = [1.0, 1.0]
def D_of_real (k : int) : real * real := D (fun j => real j) k
-- eval D_of_real {"k": 3} = [3.0, 0.0]
def D_of_if_function (c : int) (x : real) : real := snd (D (fun y => (if c then sin else cos) y) (x, 1))
-- eval D_of_if_function {"c": 1, "x": 0} = 1.0
def operators (x : real) : array 9 real :=
  build 9 (fun k => deriv (fun y =>
    if k = 0 then y / 2 + 2 / y else if k = 1 then exp y else if k = 2 then log y else if k = 3 then sqrt y
    else if k = 4 then pow y 3 else if k = 5 then pow y k else if k = 6 then lgamma y else if k = 7 then abs y
    else min y 2 * max y 2) x)
-- near operators {"x": 1} = [-1.5, 2.718281828459045, 1.0, 0.5, 3.0, 5.0, -0.5772156649015329, 1.0, 2.0]
