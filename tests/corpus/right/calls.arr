-- Application: with and without white space, of what definitions give, in loops.

def near(x : real) : real := exp(x) + max(x) (1) + fst((x, 2))
-- eval near {"x": 0} = 2.0
def touching (f : real -> array 2 real) (x : real) : real := (f x)[0] + (f(x))[1]
def use_touching (x : real) : real := touching (fun y => [y, 2 * y]) x
-- eval use_touching {"x": 1} = 3.0
def constant := 2
def uses_constant (x : real) : real := x * constant
-- eval uses_constant {"x": 3} = 6.0
def arrow (x : real) : real := (λ y => y * y) x
-- eval arrow {"x": 3} = 9.0
def step {n} (v : array n real) (acc : real) (i : fin n) : real := acc + v[i]
def folds {n} (v : array n real) : real := ifold n (step v) 0
-- eval folds {"v": [1, 2]} = 3.0
def pick {n} (v : array n real) (i : fin n) : real := v[i]
def builds {n} (v : array n real) : array n real := build n (pick v)
-- eval builds {"v": [1, 2]} = [1.0, 2.0]
def length {n} (v : array n real) : int := n
def longer {n m} (v : array (n + 1) real) (a : array m (array n real)) : int := length v * 10 + length (vectorMap a vectorSum)
-- eval longer {"v": [1, 2, 3], "a": [[1, 2]]} = 31
def make (a : real) : real -> real := fun x => a * x
def made (x : real) : real := make 2 x + (make 3) x
-- eval made {"x": 1} = 5.0
def square : real -> real := fun x => x * x
def squares (x : real) : real := square (square x)
-- eval squares {"x": 2} = 16.0
def mapped {n} (v : array n real) : array n real := vectorMap v square
-- eval mapped {"v": [3]} = [9.0]
def hot : array 3 real := oneHot 2
-- eval hot {} = [0.0, 0.0, 1.0]
def none : array 0 int := build 0 (fun i => int i)
-- eval none {} = []
def no_turns (x : real) : real := ifold 0 (fun a i => a * 2) x
-- eval no_turns {"x": 3} = 3.0
def underscore_typed (x : real) : real := (fun (_ : int) (y : real) => y) 1 x
-- eval underscore_typed {"x": 3} = 3.0
def let_hole (k : int) : int := let x : _ := 3; (x : _) + k
-- eval let_hole {"k": 1} = 4
def ascribed_function (x : real) : real := (fun y => y : real -> real) x
-- eval ascribed_function {"x": 3} = 3.0
def ascribed_result := ((fun x => x * 2) : int -> int)
-- type ascribed_result : int -> int
def between (a b c : real) : int := a < b && b < c
-- eval between {"a": 1, "b": 2, "c": 3} = 1
def spaced_minus (x : real) : real := pow x (- 1) + - 2
-- eval spaced_minus {"x": 2} = -1.5
def polynomial {n m} (v : array (n * m) real) : int := length v
-- eval polynomial {"v": [1, 2, 3, 4], "n": 2} = 4
def pair_argument (f : real * int -> real) (x : real) : real := f (x, 1)
def use_pair_argument (x : real) : real := pair_argument (fun p => fst p + real (snd p)) x
-- eval use_pair_argument {"x": 3} = 4.0
def argument_without_parentheses (v : array 2 real) : array 2 real := vectorMap v fun x => x + 1
-- eval argument_without_parentheses {"v": [1, 2]} = [2.0, 3.0]
def let_in_call {n} (v : array n real) : real := vectorSum (let w := v; vectorAdd w w)
-- eval let_in_call {"v": [1, 2]} = 6.0
def if_in_index (c : int) (v : array 2 real) : real := v[if c then 0 else 1]
-- eval if_in_index {"c": 0, "v": [5, 6]} = 6.0
def real_of_size {n} (v : array n real) : real := real (n - 1) + real n
-- eval real_of_size {"v": []} = -1.0
def swap {n m} {a : type} (p : array n a * array m a) : array m a * array n a := (p.2, p.1)
def swapped (p : array 2 int * array 1 int) : array 1 int * array 2 int := swap p
-- eval swapped {"p": [[1, 2], [3]]} = [[3], [1, 2]]
