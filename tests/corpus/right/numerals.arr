-- Numerals are a real, an int or a fin by use; what nothing decides is a real.

def alone := 1
-- type alone : real
-- eval alone {} = 1.0
def half := 2.5
-- eval half {} = 2.5
def small := 1e-3
-- eval small {} = 0.001
def large := 1E3
-- eval large {} = 1000.0
def minus := -2
-- eval minus {} = -2.0
def as_int : int := -9223372036854775808
-- eval as_int {} = -9223372036854775808
def sum (k : int) := k + 1
-- type sum : int -> int
def sum_left (k : int) := 1 + k
-- eval sum_left {"k": 2} = 3
def in_let (k : int) := let one := 1; k + one
-- eval in_let {"k": 2} = 3
def in_let_real (x : real) := let one := 1; let two := one + one; x * two
-- eval in_let_real {"x": 2} = 4.0
def in_fun (k : int) := (fun x => x + 1) k
-- eval in_fun {"k": 2} = 3
def let_fun (k : int) := let f := fun x => x * 2 + 1; f k
-- eval let_fun {"k": 2} = 5
def let_index {n >= 3} (v : array n real) := let two := 2; v[two]
-- eval let_index {"v": [1, 2, 3]} = 3.0
def fun_index (v : array 3 real) := (fun i => v[i]) 1
-- eval fun_index {"v": [1, 2, 3]} = 2.0
def pairs (p : int * real) := if 1 < 2 then p else (3, 4)
-- eval pairs {"p": [1, 2]} = [1, 2.0]
def branch (c : int) : int := if c then 1 else 2
-- eval branch {"c": 7} = 1
-- eval branch {"c": 0} = 2
def arrays : array 3 int := [1, 2, 3]
-- eval arrays {} = [1, 2, 3]
def array_by_one (k : int) := [1, k, 3]
-- eval array_by_one {"k": 2} = [1, 2, 3]
def array_alone := [1, 2]
-- eval array_alone {} = [1.0, 2.0]
def fold_int {n} (v : array n real) : int := ifold n (fun a i => a + 1) 0
-- eval fold_int {"v": [5, 6]} = 2
def fold_by_use {n} (v : array n int) := ifold n (fun a i => a + v[i]) 0
-- eval fold_by_use {"v": [5, 6]} = 11
def fold_alone := ifold 3 (fun a i => a + 1) 0
-- eval fold_alone {} = 3.0
def through_D (x : real) : real * real := (D (fun y => y * 2)) (x, 1)
-- eval through_D {"x": 3} = [6.0, 2.0]
def through_D_let (x : real) := let f := fun y => y * y + 1; let g := D f; g (x, 1)
-- eval through_D_let {"x": 3} = [10.0, 6.0]
def through_D_int (k : int) : int := (D (fun y => y + 1)) k
-- eval through_D_int {"k": 3} = 4
def dual_of_number : real * real := D 3
-- eval dual_of_number {} = [3.0, 0.0]
def exponent (x : real) := pow x 3 + pow x (-1)
-- eval exponent {"x": 2} = 8.5
def of_int := real 3
-- eval of_int {} = 3.0
def ascribed := (1 : int) + 2
-- eval ascribed {} = 3
def literals := 1 < 2
-- eval literals {} = 1
def third (v : array 3 real) := v[2]
-- eval third {"v": [1, 2, 3]} = 3.0
def below {n >= 1} (v : array n real) := v[0]
-- eval below {"v": [7]} = 7.0
def below_sum {n} (v : array (n + 2) real) := v[1]
-- eval below_sum {"v": [7, 8]} = 8.0
def negated (k : int) := -1 * k - -3
-- eval negated {"k": 2} = 1
def result_decides : int := let x := 2; let y := x * 3; y
-- eval result_decides {} = 6
def unary_by_use (k : int) := let x := 3; -x + k
-- eval unary_by_use {"k": 1} = -2
def polymorphic_fill : array 2 int := vectorFill 3
-- eval polymorphic_fill {} = [3, 3]
def fill_alone : array 2 _ := vectorFill 3
-- eval fill_alone {} = [3.0, 3.0]
