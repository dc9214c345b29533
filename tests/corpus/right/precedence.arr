-- Precedence: postfix, application, unary minus, * /, + -, comparisons, not, &&, ||.

def postfix {n} (f : real -> real) (x : array n real) (i : fin n) : real := f x[i]
def use_postfix (v : array 2 real) : real := postfix (fun y => y + 1) v 1
-- eval use_postfix {"v": [1, 2]} = 3.0
def projected (p : real * real) : real := exp p.1 + p.2
-- eval projected {"p": [0, 2]} = 3.0
def nested_index (a : array 2 (array 2 real)) : real := a[1][0]
-- eval nested_index {"a": [[1, 2], [3, 4]]} = 3.0
def index_of_pair (p : array 2 (real * real)) : real := p[1].2 - p[0].1
-- eval index_of_pair {"p": [[1, 2], [3, 4]]} = 3.0
def pair_of_index (p : real * array 2 real) : real := p.2[1]
-- eval pair_of_index {"p": [1, [3, 4]]} = 4.0
def nested_projection (p : real * (real * int)) : int := p.2.2
-- eval nested_projection {"p": [1, [2, 3]]} = 3
def minus_power (x : real) : real := -pow x 2
-- eval minus_power {"x": 3} = -9.0
def minus_times (x : real) : real := -x * -x - -x
-- eval minus_times {"x": 3} = 12.0
def divide (x : real) : real := x / 2 / 2 * 4
-- eval divide {"x": 3} = 3.0
def subtract (x : real) : real := x - 1 - 1 + 2
-- eval subtract {"x": 3} = 3.0
def compare_sums (x : real) : int := x + 1 < x * 2
-- eval compare_sums {"x": 3} = 1
def not_compare (x : real) : int := not x < 2
-- eval not_compare {"x": 3} = 1
def not_and (a b : int) : int := not a && b
-- eval not_and {"a": 0, "b": 5} = 1
-- eval not_and {"a": 1, "b": 0} = 0
def and_or (a b c : int) : int := a || b && c
-- eval and_or {"a": 1, "b": 0, "c": 0} = 1
-- eval and_or {"a": 0, "b": 1, "c": 0} = 0
def not_not (a : int) : int := not not a
-- eval not_not {"a": 5} = 1
def d_applies (x : real) : real := snd (D sin (x, 1))
-- eval d_applies {"x": 0} = 1.0
def primitive_application (x : real) : real := max x 2 + min x 2 * 2
-- eval primitive_application {"x": 3} = 7.0
def fun_far (x : real) : real := (fun y => y + 1 * 2) x
-- eval fun_far {"x": 3} = 5.0
def let_far (x : real) : real := 1 + let y := x; y + y * 2
-- eval let_far {"x": 3} = 10.0
def if_far (x : real) : real := 1 + if x < 2 then 5 else x + 1
-- eval if_far {"x": 3} = 5.0
-- eval if_far {"x": 1} = 6.0
def no_parentheses (x : real) : real * array 1 real * real :=
  (let y := x; y + 1, [if x < 2 then 0 else 1], if x < 2 then 0 else let z := x; z)
-- eval no_parentheses {"x": 3} = [4.0, [[1.0], 3.0]]
def argument (x : real) : array 2 real := build 2 fun i => x + real i
-- eval argument {"x": 3} = [3.0, 4.0]
def function_in_pair : real := (fun x => -x, 2).2
-- eval function_in_pair {} = 2.0
def index_of_index {n} (p : array n (fin n)) (v : array n real) (i : fin n) : real := v[p[p[i]]]
-- eval index_of_index {"p": [1, 2, 0], "v": [5, 6, 7], "i": 0} = 7.0
def index_with_let (v : array 2 real) : real := v[let i := 1; i]
-- eval index_with_let {"v": [5, 6]} = 6.0
def literal_array (x : real) : real := [x, 2 * x][1]
-- eval literal_array {"x": 3} = 6.0
def applied_literal (f : array 1 real -> real) : real := f [2]
def use_applied_literal : real := applied_literal (fun v => v[0])
-- eval use_applied_literal {} = 2.0
