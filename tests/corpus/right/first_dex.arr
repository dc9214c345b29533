-- Programs of the first pages of Dex's tutorial and of its examples, as they are written here.

def indices : array 3 int := build 3 (fun i => int i)
-- eval indices {} = [0, 1, 2]
def table : array 2 (array 3 int) := build 2 (fun i => build 3 (fun j => 3 * int i + int j))
-- eval table {} = [[0, 1, 2], [3, 4, 5]]
def addFive {n} (x : array n real) : array n real := build n (fun i => x[i] + 5)
-- eval addFive {"x": [0, 1, 2]} = [5.0, 6.0, 7.0]
def transposed {n m} (x : array n (array m real)) := build m (fun j => build n (fun i => x[i, j]))
-- eval transposed {"x": [[1, 2, 3], [4, 5, 6]]} = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
def meanOfRows {n} {m >= 1} (x : array n (array m real)) : array n real := build n (fun i => mean x[i])
-- eval meanOfRows {"x": [[1, 2, 3], [4, 5, 9]]} = [2.0, 6.0]
def product {n m k} (x : array n (array m real)) (y : array m (array k real)) :=
  build n (fun i => build k (fun j => sum (build m (fun l => x[i, l] * y[l, j]))))
-- eval product {"x": [[1, 2]], "y": [[3], [4]]} = [[11.0]]
def picked (x : array 3 real) : real := x[2]
-- eval picked {"x": [7, 8, 9]} = 9.0
def swapped (p : int * real) : real * int := let (a, b) := p; (b, a)
-- eval swapped {"p": [1, 2.5]} = [2.5, 1]
def slope (x : real) : real := grad (fun y => y * y + 1) x
-- eval slope {"x": 3} = 6.0
def second (x : real) : real := grad (grad (fun y => y * y * y)) x
-- eval second {"x": 5} = 30.0
def normalised {n >= 1} (x : array n real) : array n real := softmax x
-- near normalised {"x": [0, 0, 0, 0]} = [0.25, 0.25, 0.25, 0.25]
def sums {n} (x : array n real) : array n real := cumsum x
-- eval sums {"x": [1, 2, 3, 4]} = [1.0, 3.0, 6.0, 10.0]
def escapes (c : real * real) : int :=
  let (x, y) := c;
  snd (ifold 100 (fun ((a, b), k) i => if a * a + b * b < 4 then ((a * a - b * b + x, 2 * a * b + y), k + 1) else ((a, b), k)) ((0, 0), 0))
-- eval escapes {"c": [0, 0]} = 100
-- eval escapes {"c": [2, 0]} = 1
def cost {n d} (p : array d real * real) (x : array n (array d real)) (y : array n real) : real :=
  let (w, b) := p;
  sum (build n (fun i => let r := dot x[i] w + b - y[i]; r * r))
def regression {n d} (x : array n (array d real)) (y : array n real) : array d real * real :=
  ifold 200 (fun p i =>
    let (w, b) := grad cost p x y;
    (build d (fun j => (fst p)[j] - 0.05 * w[j]), snd p - 0.05 * b)) (replicate 0, 0)
-- near regression {"x": [[0], [1], [2]], "y": [1, 3, 5]} = [[1.9999999947309797], 1.0000000073103754]
def euler (x : real) : real := ifold 1000 (fun y i => y + y / 1000) x
-- near euler {"x": 1} = 2.716923932235896
def rungeKutta (x : real) : real :=
  ifold 10 (fun y i =>
    let h := 0.1; let a := y; let b := y + h / 2 * a; let c := y + h / 2 * b; let d := y + h * c;
    y + h / 6 * (a + 2 * b + 2 * c + d)) x
-- near rungeKutta {"x": 1} = 2.718279744135166
def newton (f : real -> real) (x : real) : real := ifold 10 (fun y i => y - f y / deriv f y) x
def root : real := newton (fun x => x * x - 2) 1
-- near root {} = 1.4142135623730951
def area (x y : real) : int := x * x + y * y < 1
-- eval area {"x": 0.5, "y": 0.5} = 1
def ordered {n} (x : array n real) : array n real := sort x
-- eval ordered {"x": [3, 1, 2]} = [1.0, 2.0, 3.0]
def oneHots {n k} (x : array n (fin k)) : array n (array k real) := build n (fun i => oneHot x[i])
-- eval oneHots {"x": [2, 0], "k": 3} = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
