-- Derivatives along directions, second ones and products with them, with values from calculus.

def cubes {n} (v : array n real) : real := ifold n (fun s i => s + v[i] * v[i] * v[i]) 0
def along {n} (v dv : array n real) : real := directional cubes v dv
-- eval along {"v": [1, 2], "dv": [1, 10]} = 123.0
-- eval along {"v": [], "dv": []} = 0.0
def both {n} (v : array n real) : real * array n real := valueAndGrad cubes v
-- eval both {"v": [1, 2]} = [9.0, [3.0, 12.0]]
def second {n m} (a : array n (array m real)) (x : array m real) : array m (array m real) :=
  hessian (fun y => cubes (matrixVectorMul a y)) x
-- eval second {"a": [[1, 2], [0, 1]], "x": [1, 1]} = [[18.0, 36.0], [36.0, 78.0]]
def curved {n} (v dv : array n real) : array n real := hvp cubes v dv
-- eval curved {"v": [1, 2], "dv": [1, 10]} = [6.0, 120.0]
def back {n m} (a : array n (array m real)) (x : array m real) (u : array n real) : array m real := vjp (matrixVectorMul a) x u
-- eval back {"a": [[1, 2], [3, 4], [5, 6]], "x": [7, 8], "u": [1, 10, 100]} = [531.0, 642.0]
