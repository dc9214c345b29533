-- Programs of the first pages of Futhark's guide and of "Futhark by Example", as they are written here.

def factorial {n} (v : array n real) : int := ifold n (fun product i => product * (int i + 1)) 1
-- eval factorial {"v": [0, 0, 0, 0, 0]} = 120
def dotprod {n} (xs ys : array n int) : int := ifold n (fun acc i => acc + xs[i] * ys[i]) 0
-- eval dotprod {"xs": [2, 2, 3], "ys": [4, 5, 6]} = 36
def average {n >= 1} (xs : array n real) : real := sum xs / real n
-- eval average {"xs": [1, 2, 3, 4]} = 2.5
def addTwo {n} (xs : array n int) : array n int := vectorMap xs (fun x => x + 2)
-- eval addTwo {"xs": [1, 2, 3]} = [3, 4, 5]
def reduced {n} (xs : array n int) : int := ifold n (fun acc i => acc + xs[i]) 0
-- eval reduced {"xs": [1, 2, 3]} = 6
def scanned {n} (xs : array n real) : array n real := cumsum xs
-- eval scanned {"xs": [1, 2, 3]} = [1.0, 3.0, 6.0]
def iota : array 4 int := build 4 (fun i => int i)
-- eval iota {} = [0, 1, 2, 3]
def replicated : array 3 int := replicate 42
-- eval replicated {} = [42, 42, 42]
def pairs {n} (xs : array n int) (ys : array n real) := zip xs ys
-- eval pairs {"xs": [1, 2], "ys": [3, 4]} = [[1, 3.0], [2, 4.0]]
def unzipped {n} (v : array n (int * real)) := (vectorMap v fst, vectorMap v snd)
-- eval unzipped {"v": [[1, 3], [2, 4]]} = [[1, 2], [3.0, 4.0]]
def matmult {n m p} (a : array n (array m int)) (b : array m (array p int)) : array n (array p int) :=
  build n (fun i => build p (fun j => ifold m (fun acc k => acc + a[i, k] * b[k, j]) 0))
-- eval matmult {"a": [[1, 2], [3, 4]], "b": [[5, 6], [7, 8]]} = [[19, 22], [43, 50]]
def outer {n m} (xs : array n real) (ys : array m real) := outerProduct xs ys
-- eval outer {"xs": [1, 2], "ys": [10, 20, 30]} = [[10.0, 20.0, 30.0], [20.0, 40.0, 60.0]]
def moments {n >= 1} (xs : array n real) : real * real := (mean xs, variance xs)
-- eval moments {"xs": [1, 3]} = [2.0, 1.0]
def greatest {n >= 1} (xs : array n real) : fin n * real := (argmax xs, vectorMax xs)
-- eval greatest {"xs": [3, 9, 4]} = [1, 9.0]
def histogram {n k} (at : array n (fin k)) (xs : array n real) : array k real :=
  build k (fun b => ifold n (fun acc i => if at[i] = b then acc + xs[i] else acc) 0)
-- eval histogram {"at": [0, 2, 0], "xs": [1, 2, 3], "k": 3} = [4.0, 0.0, 2.0]
def gcd (a b : int) : int := fst (ifold 100 (fun (x, y) i => if y = 0 then (x, y) else (y, x % y)) (a, b))
-- eval gcd {"a": 84, "b": 36} = 12
def fibonacci {n} (v : array n real) : int := fst (ifold n (fun (a, b) i => (b, a + b)) (0, 1))
-- eval fibonacci {"v": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]} = 55
def allPositive {n} (xs : array n real) : int := all (vectorMap xs (fun x => x > 0))
-- eval allPositive {"xs": [1, 2]} = 1
-- eval allPositive {"xs": [1, 0]} = 0
def gradient {n} (xs : array n real) : array n real := grad (fun v => dot v v) xs
-- eval gradient {"xs": [1, 2, 3]} = [2.0, 4.0, 6.0]
def pushed {n} (xs dxs : array n real) : real := directional (fun v => dot v v) xs dxs
-- eval pushed {"xs": [1, 2, 3], "dxs": [1, 0, 10]} = 62.0
def newton (x : real) : real := ifold 10 (fun y i => y - (y * y - 2) / deriv (fun z => z * z - 2) y) x
-- near newton {"x": 1} = 1.4142135623730951
def product {n} (xs : array n real) : array n real := cumprod xs
-- eval product {"xs": [2, 3, 4]} = [2.0, 6.0, 24.0]
def increasing {n} (xs : array n real) : array n real := sort xs
-- eval increasing {"xs": [5, 4, 3, 2, 1]} = [1.0, 2.0, 3.0, 4.0, 5.0]
