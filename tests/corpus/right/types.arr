-- Types: application binds tightest, then `*` (to the right), then `->` (to the right).

def arrows (f : real -> real -> real) (x : real) : real := f x x
-- type arrows : (real -> real -> real) -> real -> real
def product (p : real * int * real) : real := p.2.2
-- type product : real * int * real -> real
-- eval product {"p": [1, [2, 3]]} = 3.0
def mixed {n} (f : array n real * int -> real) (v : array n real) : real := f (v, 2)
-- type mixed : (array n real * int -> real) -> array n real -> real
def unicode (p : real × int → real) (q : real × int) : real := p q
-- type unicode : (real * int -> real) -> real * int -> real
def left (p : (real * int) * real) : int := p.1.2
-- type left : (real * int) * real -> int
-- eval left {"p": [[1, 7], 3]} = 7
def rows {n m} (a : array n (array m real)) : array n (array (m + 0) (real)) := a
-- type rows : array n (array m real) -> array n (array m real)
-- eval rows {"a": [[1], [2]]} = [[1.0], [2.0]]
def index {n} (v : array n real) (i : fin n) : real := v[i]
-- type index : array n real -> fin n -> real
-- eval index {"v": [1, 2, 3], "i": 2} = 3.0
def of_pairs {n} (v : array (n) (real * int)) (i : fin (n)) : int := v[i].2
-- eval of_pairs {"v": [[1, 5]], "i": 0} = 5
def functions {n} (fs : array n (real -> real)) (i : fin n) : real := fs[i] 2
-- type functions : array n (real -> real) -> fin n -> real
def wraps (x : int) : int := x + 1
-- eval wraps {"x": 9223372036854775807} = -9223372036854775808
def scalar_fun : real -> real := fun x => x * 2
-- type scalar_fun : real -> real
-- eval scalar_fun {"x": 3} = 6.0
def wild (v : array _ real) : array 2 real := v
-- type wild : array 2 real -> array 2 real
def guess {n} (v : array n real) (i : fin _) : real := v[i]
-- type guess : array n real -> fin n -> real
