-- Parameters of function type that stand under D, or are passed on to such a parameter.

def rate (f : real -> real) (x : real) : real := snd (D f (x, 1))
-- open rate
def passed_on (g : real -> real) (x : real) : real := rate g x
-- open passed_on
def passed_twice (h : real -> real) (x : real) : real := passed_on h (x + 1)
-- open passed_twice
def cube (x : real) : real := x * x * x
def scaled (a x : real) : real := a * x
def with_lambda (x : real) : real := passed_twice (fun y => y * y) x
-- eval with_lambda {"x": 2} = 6.0
def with_definition (x : real) : real := passed_twice cube x
-- eval with_definition {"x": 1} = 12.0
def with_primitive (x : real) : real := passed_twice exp (x - 1)
-- eval with_primitive {"x": 0} = 1.0
def with_partial (a x : real) : real := passed_twice (scaled a) x
-- eval with_partial {"a": 7, "x": 2} = 7.0
def with_partial_expression (a x : real) : real := passed_twice (scaled (a * a)) x
-- eval with_partial_expression {"a": 3, "x": 2} = 9.0
def with_let (a x : real) : real := let f := fun y => a * y * y; passed_twice f x
-- eval with_let {"a": 3, "x": 1} = 12.0
def with_let_partial (a x : real) : real := let f := scaled a; passed_twice f x
-- eval with_let_partial {"a": 3, "x": 1} = 3.0
def with_let_primitive (x : real) : real := let f := sin; rate f x
-- eval with_let_primitive {"x": 0} = 1.0
def runtime_data {n} (v : array n real) : array n real :=
  build n (fun i => passed_twice (fun y => v[i] * y * y) 0)
-- eval runtime_data {"v": [1, 2]} = [2.0, 4.0]
def wrapped (f : real -> real) (x : real) : real := rate (fun y => f (f y)) x
-- open wrapped
def use_wrapped (x : real) : real := wrapped (fun y => y * y) x
-- eval use_wrapped {"x": 2} = 32.0
def let_inside (f : real -> real) (x : real) : real := let g := fun y => f y * 2; rate g x
-- open let_inside
def use_let_inside (x : real) : real := let_inside cube x
-- eval use_let_inside {"x": 1} = 6.0
def second (f : real -> real) (x : real) : real := rate (rate f) x
-- open second
def use_second (x : real) : real := second cube x
-- eval use_second {"x": 2} = 12.0
def plain_function (f : real -> real) (x : real) : real := f x
-- type plain_function : (real -> real) -> real -> real
-- prints plain_function : fun (f : real -> real) (x : real) => f x
def unfolds_plain (x : real) : real := rate (plain_function cube) x
-- eval unfolds_plain {"x": 1} = 3.0
def static_last (x : real) (f : real -> real) : real := rate f x
-- open static_last
def use_static_last (x : real) : real := static_last x cube
-- eval use_static_last {"x": 1} = 3.0
def static_partly (f : real -> real) : real -> real := rate f
-- open static_partly
def use_static_partly {n} (v : array n real) : array n real := vectorMap v (static_partly cube)
-- eval use_static_partly {"v": [1, 2]} = [3.0, 12.0]
def mapped_rate {n} (v : array n real) : array n real := vectorMap v (rate cube)
-- eval mapped_rate {"v": [1, 2]} = [3.0, 12.0]
def mapped_deriv {n} (v : array n real) : array n real := vectorMap v (deriv sin)
-- eval mapped_deriv {"v": [0]} = [1.0]
def two_static (f g : real -> real) (x : real) : real := rate (fun y => f (g y)) x
-- open two_static
def use_two_static (a x : real) : real := two_static (scaled a) (fun y => y * y + a) x
-- eval use_two_static {"a": 3, "x": 2} = 12.0
def polymorphic {n} {a : type} (f : array n real -> real) (v : array n real) (x : a) : array n real * a := (grad f v, x)
-- open polymorphic
def use_polymorphic (v : array 2 real) : array 2 real * int := polymorphic vectorSum v 3
-- eval use_polymorphic {"v": [5, 6]} = [[1.0, 1.0], 3]
def capture (x y : real) : real := let f := fun z => x * z; let x := 100; passed_twice f (x * y)
-- eval capture {"x": 3, "y": 0} = 3.0
def capture_parameter (x : real) : real := rate (fun y => x * y) (x * x)
-- eval capture_parameter {"x": 5} = 5.0
def conditional (c : int) (x : real) : real := rate (fun y => if c then y * 2 else y * 3) x
-- eval conditional {"c": 0, "x": 1} = 3.0
def of_pair_function (f : real * real -> real) (x y : real) : real := snd (D f ((x, 1), (y, 0)))
-- open of_pair_function
def use_of_pair_function (x y : real) : real := of_pair_function (fun p => p.1 * p.2) x y
-- eval use_of_pair_function {"x": 5, "y": 6} = 6.0
