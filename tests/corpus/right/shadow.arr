-- Parameters shadow a file's definitions, which shadow the prelude's.

def vectorSum {n} (v : array n real) : real := 100
def uses_own (v : array 1 real) : real := vectorSum v
-- eval uses_own {"v": [1]} = 100.0
def prelude_keeps_its_own (v : array 2 real) : real := vectorNorm v
-- eval prelude_keeps_its_own {"v": [3, 4]} = 5.0
def parameter (vectorSum : real) : real := vectorSum + 1
-- eval parameter {"vectorSum": 1} = 2.0
def local (x : real) : real := let exp2 := x; let vectorSum := exp2; vectorSum
-- eval local {"x": 1} = 1.0
def inner (x : real) : real := (fun x => x * 2) (x + 1)
-- eval inner {"x": 1} = 4.0
-- prints inner : fun (x : real) => (fun x1 => x1 * 2) (x + 1)
def let_again (x : real) : real := let x := x + 1; let x := x * 2; x
-- prints let_again : fun (x : real) => let x1 := x + 1; let x2 := x1 * 2; x2
-- eval let_again {"x": 1} = 4.0
def zip (x : real) : real := x
def own_zip : real := zip 2
-- eval own_zip {} = 2.0
def grad_is_untouched {n} (v : array n real) : array n real := grad (fun w => vectorDot w w) v
-- eval grad_is_untouched {"v": [1, 2]} = [2.0, 4.0]
def size_and_parameter {n} (n : array n real) : array n real := n
-- eval size_and_parameter {"n": [1, 2]} = [1.0, 2.0]
def bound_as_size {n} (v : array n real) : real := (fun n => n + 1) 2
-- eval bound_as_size {"v": []} = 3.0
def size_under_binder {n} (v : array n real) : int := let k := n; let n := k + 1; n
-- eval size_under_binder {"v": [1]} = 2
