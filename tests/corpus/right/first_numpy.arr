-- Programs of the first pages of NumPy's guide (the quickstart), as they are written here, with the values that stand there.

def arange15 : array 3 (array 5 int) := build 3 (fun i => build 5 (fun j => 5 * int i + int j))
-- eval arange15 {} = [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]
def zeros : array 3 (array 4 real) := replicate (replicate 0)
-- eval zeros {} = [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
def arangeStep : array 4 int := build 4 (fun i => 10 + 5 * int i)
-- eval arangeStep {} = [10, 15, 20, 25]
def nine : array 9 real := linspace 0 2
-- eval nine {} = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0]
def difference {n} (a b : array n real) : array n real := vectorMap2 a b (fun x y => x - y)
-- eval difference {"a": [20, 30, 40, 50], "b": [0, 1, 2, 3]} = [20.0, 29.0, 38.0, 47.0]
def squares {n} (b : array n real) : array n real := vectorMap b (fun x => pow x 2)
-- eval squares {"b": [0, 1, 2, 3]} = [0.0, 1.0, 4.0, 9.0]
def sines {n} (a : array n real) : array n real := vectorMap a (fun x => 10 * sin x)
-- near sines {"a": [20, 30, 40, 50]} = [9.129452507276277, -9.880316240928618, 7.451131604793488, -2.6237485370392877]
def below {n} (a : array n real) : array n int := vectorMap a (fun x => x < 35)
-- eval below {"a": [20, 30, 40, 50]} = [1, 1, 0, 0]
def elementwise {n m} (a b : array n (array m real)) := build n (fun i => vectorEMul a[i] b[i])
-- eval elementwise {"a": [[1, 1], [0, 1]], "b": [[2, 0], [3, 4]]} = [[2.0, 0.0], [0.0, 4.0]]
def product {n} (a b : array n (array n real)) := matmul a b
-- eval product {"a": [[1, 1], [0, 1]], "b": [[2, 0], [3, 4]]} = [[5.0, 4.0], [3.0, 4.0]]
def sumOfColumns {n m} (b : array n (array m real)) : array m real := vectorMap (transpose b) sum
-- eval sumOfColumns {"b": [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]} = [12.0, 15.0, 18.0, 21.0]
def leastOfRows {n} {m >= 1} (b : array n (array m real)) : array n real := vectorMap b vectorMin
-- eval leastOfRows {"b": [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]} = [0.0, 4.0, 8.0]
def running {n m} (b : array n (array m real)) : array n (array m real) := vectorMap b cumsum
-- eval running {"b": [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]} = [[0.0, 1.0, 3.0, 6.0], [4.0, 9.0, 15.0, 22.0], [8.0, 17.0, 27.0, 38.0]]
def roots {n} (b : array n real) : array n real := vectorMap b sqrt
-- near roots {"b": [0, 1, 2]} = [0, 1, 1.4142135623730951]
def cubes : array 10 int := build 10 (fun i => int i * int i * int i)
-- eval cubes {} = [0, 1, 8, 27, 64, 125, 216, 343, 512, 729]
def fromFunction : array 5 (array 4 int) := build 5 (fun x => build 4 (fun y => 10 * int x + int y))
-- eval fromFunction {} = [[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33], [40, 41, 42, 43]]
def column {n} (b : array n (array 4 int)) : array n int := build n (fun i => b[i, 1])
-- eval column {"b": [[0, 1, 2, 3], [10, 11, 12, 13]]} = [1, 11]
def byIndices {n m} (a : array n int) (i : array m (fin n)) : array m int := gather a i
-- eval byIndices {"a": [0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121], "i": [1, 1, 3, 8, 5]} = [1, 1, 9, 64, 25]
def masked {n m} (a : array n (array m real)) := build n (fun i => vectorMap a[i] (fun x => if x > 4 then 0 else x))
-- eval masked {"a": [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]} = [[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
def ofIdentity : real := trace (identity : array 2 (array 2 real))
-- eval ofIdentity {} = 2.0
def greatestOfColumns {n >= 1} {m} (a : array n (array m real)) : array m (fin n) := vectorMap (transpose a) argmax
-- eval greatestOfColumns {"a": [[0, 9, 2], [3, 4, 8], [6, 1, 5]]} = [2, 0, 1]
def mandelbrot (x y : real) : int :=
  let (z, count) := ifold 20 (fun ((a, b), k) i =>
    let (c, d) := (a * a - b * b + x, 2 * a * b + y);
    ((c, d), if c * c + d * d <= 4 then k + 1 else k)) ((0, 0), 0);
  count
-- eval mandelbrot {"x": 0, "y": 0} = 20
-- eval mandelbrot {"x": 1, "y": 0} = 2
-- eval mandelbrot {"x": -1, "y": 0} = 20
