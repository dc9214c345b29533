-- Words that are not reserved mean a primitive only where nothing else is called so.

def before (x : real) : real := sinh x
-- prints before : fun (x : real) => sinh x
def erf (x : real) : real := x + 1
def own (x : real) : real := erf x
-- eval own {"x": 1} = 2.0
-- prints own : fun (x : real) => let x1 := x; x1 + 1
def own_bare {n} (v : array n real) : array n real := vectorMap v erf
-- eval own_bare {"v": [1]} = [2.0]
def parameter (atan : real) : real := atan + 1
-- eval parameter {"atan": 1} = 2.0
-- prints parameter : fun (atan : real) => atan + 1
def applied (cosh : real -> real) (x : real) : real := cosh x
def applied_to_own (x : real) : real := applied (fun y => y * 2) x
-- eval applied_to_own {"x": 3} = 6.0
def local (x : real) : real := let log1p := x * 2; log1p + 1
-- eval local {"x": 1} = 3.0
def lambda (x : real) : real := (fun expm1 => expm1 * expm1) x
-- eval lambda {"x": 3} = 9.0
def size {sinh} (v : array sinh real) : real := real sinh
-- eval size {"v": [1, 2, 3]} = 3.0
-- prints size : fun (v : array sinh real) => real sinh
def size_alone {cosh} (x : real) : real := x * real cosh
-- eval size_alone {"x": 2, "cosh": 5} = 10.0
-- prints size_alone : fun (x : real) => x * real cosh
def size_and_function {atan} (v : array atan real) : real := real atan + atan 0
-- eval size_and_function {"v": [1, 2]} = 2.0
-- prints size_and_function : fun (v : array atan real) => real atan + atan 0
def hidden (x : real) : real := (fun (f : real -> real) sinh => f sinh) sinh x
-- prints hidden : fun (x : real) => (fun (f : real -> real) (sinh1 : real) => f sinh1) (fun x1 => sinh x1) x
def kept (x : real) : real := let f := sinh; let sinh := f x; f sinh
-- prints kept : fun (x : real) => let f := fun (x1 : real) => sinh x1; let sinh1 := f x; f sinh1

-- Likewise for words that are newer, and for the prelude's.
def floor (x : real) : real := x + 1
def round (x : real) : real := floor x * 2
-- eval round {"x": 1} = 4.0
def sign : real := 3
def sigmoid (x : real) : real := x * sign
-- eval sigmoid {"x": 2} = 6.0
def words (tan acos erfc atan2 : real) : real := let ceil := tan + acos; ceil * erfc - atan2
-- eval words {"tan": 1, "acos": 2, "erfc": 3, "atan2": 4} = 5.0
-- prints words : fun (tan acos erfc atan2 : real) => let ceil1 := tan + acos; ceil1 * erfc - atan2
def clash (tan : real) : real := let f := asin; f tan
-- prints clash : fun (tan : real) => let f := fun (x : real) => asin x; f tan
