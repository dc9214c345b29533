-- Sizes: naturals, variables, sums and products, equal by their polynomial normal forms.

def commute {n m} (v : array (n * (m + 1)) real) : array (m * n + n) real := v
-- eval commute {"v": [1, 2, 3, 4], "n": 2} = [1.0, 2.0, 3.0, 4.0]
def twice {n} (v : array (n + n) real) : array (2 * n) real := v
-- type twice : array (2 * n) real -> array (2 * n) real
def square {n} (v : array ((n + 1) * (n + 1)) real) : array (n * n + 2 * n + 1) real := v
-- eval square {"v": [1, 2, 3, 4]} = [1.0, 2.0, 3.0, 4.0]
def nothing (v : array 0 real) : real := vectorSum v
-- eval nothing {"v": []} = 0.0
def huge (x : real) : int := ifold 9223372036854775807 (fun a i => a) 3
-- type huge : real -> int

-- An equation that doesn't decide its unknowns waits for other arguments.
def append {n m} {a : type} (v : array (n + m) a) (w : array n a) (u : array m a) : array m a := u
def waits {n' m'} (v : array (n' + m') real) (w : array n' real) (u : array m' real) : array m' real := append v w u
-- eval waits {"v": [1, 2, 3], "w": [4], "u": [5, 6]} = [5.0, 6.0]
def waits_two {n m} (v : array n real) (w : array m real) : array m real :=
  append (build (n + m) (fun i => 1)) v w
-- eval waits_two {"v": [1, 2, 3], "w": [4]} = [4.0]
def scaled {n k} (v : array (n * k) real) (w : array k real) : array k real := w
def factors {a b} (v : array (a * b) real) (w : array b real) : array b real := scaled v w
-- eval factors {"v": [1, 2], "w": [3, 4]} = [3.0, 4.0]

-- A size used as a term is an int.
def length {n} (v : array n real) : int := n
-- eval length {"v": [1, 2, 3]} = 3
-- eval length {"v": []} = 0
def mean {n} (v : array n real) : real := vectorSum v / real n
-- eval mean {"v": [1, 2, 6]} = 3.0
def area {n m} (a : array n (array m real)) : int := n * m - 1
-- eval area {"a": [[1, 2], [3, 4]]} = 3
def compared {n} (v : array n real) : int := if n > 2 then 10 else n
-- eval compared {"v": [1]} = 1
-- eval compared {"v": [1, 2, 3]} = 10
def last_or {n} (v : array (n + 1) real) : real := ifold (n + 1) (fun a i => if int i = n then v[i] else a) 0
-- eval last_or {"v": [1, 2, 3]} = 3.0

-- Groups repeat and mix.
def groups {n m} {a : type} {k >= 1} (v : array n a) (w : array m a) (u : array k a) : a := u[0]
def use_groups (v : array 2 real) : real := groups v v v
-- eval use_groups {"v": [4, 5]} = 4.0
def bound {n >= 2} (v : array n real) : real := v[0] + v[1]
-- eval bound {"v": [4, 5]} = 9.0
def bound_used {n} (v : array (n + 3) real) : real := bound v
-- eval bound_used {"v": [4, 5, 6]} = 9.0
def bound_kept {n >= 3} (v : array n real) : real := bound v + v[2]
-- eval bound_kept {"v": [4, 5, 6]} = 15.0
def bound_product {n >= 1} {m >= 2} (v : array (n * m) real) : real := bound v
-- eval bound_product {"v": [1, 2], "n": 1, "m": 2} = 3.0
def two_types {a : type} {b : type} (p : a * b) : b * a := (p.2, p.1)
def use_two_types (x : real) (i : int) : int * real := two_types (x, i)
-- eval use_two_types {"x": 1, "i": 2} = [2, 1.0]
def braces_apart {n} {m} (v : array n real) {k} (w : array m real) (u : array k real) : int := n + m + k
-- eval braces_apart {"v": [1], "w": [1, 2], "u": [1, 2, 3]} = 6
