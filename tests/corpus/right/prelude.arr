-- The prelude: every function with its documented result.

def zeroes := addZeroes [1, 2]
-- eval zeroes {} = [[1.0, 0.0], [2.0, 0.0]]
def zipped := zip [1, 2] ([3, 4] : array 2 int)
-- eval zipped {} = [[1.0, 3], [2.0, 4]]
def hot {n} (i : fin n) : array n real := oneHot i
-- eval hot {"i": 1, "n": 3} = [0.0, 1.0, 0.0]
def fill {n} (v : array n real) : array n real := vectorAdd v (vectorFill 2)
-- eval fill {"v": [1, 2]} = [3.0, 4.0]
def fill_pairs : array 2 (real * int) := vectorFill (1, 2)
-- eval fill_pairs {} = [[1.0, 2], [1.0, 2]]
def map {n} (v : array n real) : array n int := vectorMap v (fun x => x > 1)
-- eval map {"v": [1, 2]} = [0, 1]
-- eval map {"v": []} = []
def map2 {n} (v : array n real) (w : array n int) : array n real := vectorMap2 v w (fun x k => pow x k)
-- eval map2 {"v": [2, 3], "w": [3, 2]} = [8.0, 9.0]
def add {n} (v w : array n real) : array n real := vectorAdd v w
-- eval add {"v": [1, 2], "w": [3, 4]} = [4.0, 6.0]
def emul {n} (v w : array n real) : array n real := vectorEMul v w
-- eval emul {"v": [1, 2], "w": [3, 4]} = [3.0, 8.0]
def smul {n} (v : array n real) (s : real) : array n real := vectorSMul v s
-- eval smul {"v": [1, 2], "s": 3} = [3.0, 6.0]
def sum {n} (v : array n real) : real := vectorSum v
-- eval sum {"v": [1, 2]} = 3.0
-- eval sum {"v": []} = 0.0
def norm {n} (v : array n real) : real := vectorNorm v
-- eval norm {"v": [3, 4]} = 5.0
-- eval norm {"v": []} = 0.0
def dot {n} (v w : array n real) : real := vectorDot v w
-- eval dot {"v": [1, 2], "w": [3, 4]} = 11.0
def where_max {n >= 1} (v : array n real) : fin n * fin n := (argmax v, argmin v)
-- eval where_max {"v": [2, 5, 1]} = [1, 2]
-- eval where_max {"v": [2]} = [0, 0]
def extremes {n >= 1} (v : array n real) : real * real := (vectorMax v, vectorMin v)
-- eval extremes {"v": [2, 5, 1]} = [5.0, 1.0]
-- eval extremes {"v": [-2]} = [-2.0, -2.0]
def lse {n >= 1} (v : array n real) : real := logSumExp v
-- near lse {"v": [0, 0]} = 0.6931471805599453
-- near lse {"v": [1000, 1000]} = 1000.6931471805599
def rows {n m} (a : array n (array m real)) : array n real := matrixMap a vectorSum
-- eval rows {"a": [[1, 2], [3, 4]]} = [3.0, 7.0]
def madd {n m} (a b : array n (array m real)) : array n (array m real) := matrixAdd a b
-- eval madd {"a": [[1, 2]], "b": [[3, 4]]} = [[4.0, 6.0]]
def transpose {n m} (a : array n (array m real)) : array m (array n real) := matrixTranspose a
-- eval transpose {"a": [[1, 2, 3], [4, 5, 6]]} = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
def transpose_ints (a : array 1 (array 2 int)) : array 2 (array 1 int) := matrixTranspose a
-- eval transpose_ints {"a": [[1, 2]]} = [[1], [2]]
def mmul {n k m} (a : array n (array k real)) (b : array k (array m real)) : array n (array m real) := matrixMul a b
-- eval mmul {"a": [[1, 2], [3, 4]], "b": [[0, 1], [1, 0]]} = [[2.0, 1.0], [4.0, 3.0]]
def mvmul {n m} (a : array n (array m real)) (x : array m real) : array n real := matrixVectorMul a x
-- eval mvmul {"a": [[1, 2], [3, 4]], "x": [1, 1]} = [3.0, 7.0]
def outer {n m} (v : array n real) (w : array m real) : array n (array m real) := outerProduct v w
-- eval outer {"v": [1, 2], "w": [3, 4, 5]} = [[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]]
def loss {a b n} (x : array a real) (y : array b real) (p : array n real) : real :=
  vectorSum x * vectorSum y + vectorDot p p
def rate {a b n} (x : array a real) (y : array b real) (p dp : array n real) : real := lossDiff loss x y p dp
-- eval rate {"x": [1], "y": [], "p": [1, 2], "dp": [1, 10]} = 42.0
def slope {a b n} (x : array a real) (y : array b real) (p : array n real) : array n real := lossGrad loss x y p
-- eval slope {"x": [1], "y": [2, 3], "p": [1, 2]} = [2.0, 4.0]
-- eval slope {"x": [], "y": [], "p": []} = []
def sine (x : real) : real := deriv sin x
-- near sine {"x": 1} = 0.5403023058681398
def gradient {n} (v : array n real) : array n real := grad (fun w => vectorDot w w) v
-- eval gradient {"v": [1, 2, 3]} = [2.0, 4.0, 6.0]
-- eval gradient {"v": []} = []
-- eval gradient {"v": [4]} = [8.0]
def matrix_gradient {n m} (a : array n (array m real)) : array n (array m real) :=
  gradMatrix (fun b => ifold n (fun s i => s + vectorDot b[i] b[i]) 0) a
-- eval matrix_gradient {"a": [[1, 2], [3, 4]]} = [[2.0, 4.0], [6.0, 8.0]]
def jacobi {n m} (a : array m (array n real)) (x : array n real) : array n (array m real) := jacobian (matrixVectorMul a) x
-- eval jacobi {"a": [[1, 2, 3], [4, 5, 6]], "x": [1, 1, 1]} = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
def hessian {n} (v : array n real) : array n (array n real) := jacobian (grad (fun w => vectorDot w w)) v
-- eval hessian {"v": [1, 2]} = [[2.0, 0.0], [0.0, 2.0]]
def grad_norm {n} (v : array n real) : array n real := grad vectorNorm v
-- near grad_norm {"v": [3, 4]} = [0.6, 0.8]
def grad_max {n >= 1} (v : array n real) : array n real := grad vectorMax v
-- eval grad_max {"v": [1, 5, 2]} = [0.0, 1.0, 0.0]
def grad_lse {n >= 1} (v : array n real) : array n real := grad logSumExp v
-- near grad_lse {"v": [1, 1]} = [0.5, 0.5]
