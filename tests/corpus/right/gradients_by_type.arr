-- Gradients of anything made of reals, with values from calculus.

def slope (x : real) : real := grad (fun y => y * y * y) x
-- eval slope {"x": 2} = 12.0
def product (p : real * real * real) : real := let (a, b, c) := p; a * b * c
def by_triple (p : real * real * real) := grad product p
-- eval by_triple {"p": [2, [3, 5]]} = [15.0, [10.0, 6.0]]
def cost {n m} (p : array n (array m real) * array n real) (x : array m real) : real :=
  ifold n (fun s i => s + p.2[i] * ifold m (fun t j => t + p.1[i][j] * x[j]) 0) 0
def by_pair {n m} (p : array n (array m real) * array n real) (x : array m real) := grad cost p x
-- eval by_pair {"p": [[[1, 2], [3, 4]], [10, 20]], "x": [5, 7]} = [[[50.0, 70.0], [100.0, 140.0]], [19.0, 43.0]]
-- eval by_pair {"p": [[], []], "x": [5, 7]} = [[], []]
def by_pairs {n} (v : array n (real * real)) := grad (fun w => ifold n (fun s i => s + fst w[i] * snd w[i]) 0) v
-- eval by_pairs {"v": [[1, 2], [3, 4]]} = [[2.0, 1.0], [4.0, 3.0]]
-- eval by_pairs {"v": []} = []
def deep {n m k l} (t : array n (array m (array k (array l real)))) :=
  grad (fun u => ifold n (fun s a => s + ifold m (fun s b => s + ifold k (fun s c => s + ifold l (fun s d =>
    s + 0.5 * u[a][b][c][d] * u[a][b][c][d]) 0) 0) 0) 0) t
-- eval deep {"t": [[[[1, 2]], [[3, 4]]]]} = [[[[1.0, 2.0]], [[3.0, 4.0]]]]
def both (x y : real) : real * real := valueAndGrad (fun a b => a * a * b) x (y + 1)
-- eval both {"x": 3, "y": 1} = [18.0, 12.0]
def along (p dp : real * real) := directional (fun (a, b) => (a * b, [a, b])) p dp
-- eval along {"p": [2, 3], "dp": [10, 1]} = [32.0, [10.0, 1.0]]
def second (p dp : real * real) : real * real := hvp (fun (a, b) => a * a * b) p dp
-- eval second {"p": [2, 3], "dp": [1, 10]} = [46.0, 4.0]
def back (p : real * real) (u : real * array 2 real) := vjp (fun (a, b) => (a * b, [a, b])) p u
-- eval back {"p": [2, 3], "u": [1, [10, 100]]} = [13.0, 102.0]
def matrix (v : array 2 real) := jacobian (fun w => (w[0] * w[1], [w[0], w[1], 1])) v
-- eval matrix {"v": [2, 3]} = [[3.0, [1.0, 0.0, 0.0]], [2.0, [0.0, 1.0, 0.0]]]
def by_both (p : real * array 2 real) := jacobian (fun (a, v) => [a * v[0], v[1]]) p
-- eval by_both {"p": [2, [3, 5]]} = [[3.0, 0.0], [[2.0, 0.0], [0.0, 1.0]]]
-- type by_both : real * array 2 real -> array 2 real * array 2 (array 2 real)
def by_number (x : real) := jacobian (fun y => (y, [y * y, 1])) x
-- eval by_number {"x": 3} = [1.0, [6.0, 0.0]]
def by_matrix {n m} (a : array n (array m real)) (x : array m real) := jacobian (fun b => matrixVectorMul b x) a
-- eval by_matrix {"a": [[1, 2], [3, 4]], "x": [5, 7]} = [[[5.0, 0.0], [7.0, 0.0]], [[0.0, 5.0], [0.0, 7.0]]]
def of_two {n} (v : array n real) (k : real) := jacobian (fun (w : array n real) c => build n (fun i => c * w[i])) v k
-- eval of_two {"v": [1, 2], "k": 5} = [[5.0, 0.0], [0.0, 5.0]]
-- What doesn't change is a constant: no infinite slope is asked.
def steep (p : real * real) : real := fst (grad (fun (a, b) => a * sqrt b) p)
-- eval steep {"p": [3, 0]} = 0.0
def steep_in_array {n} (v : array n (real * real)) : array n real :=
  vectorMap (grad (fun w => ifold n (fun s i => s + fst w[i] * sqrt (snd w[i])) 0) v) fst
-- eval steep_in_array {"v": [[3, 0], [1, 4]]} = [0.0, 2.0]
def mine {p : type} (f : p -> real) (x : p) : p := grad f x
def by_mine (p : real * array 2 real) := mine (fun (a, v) => a * v[0] * v[1]) p
-- eval by_mine {"p": [2, [3, 5]]} = [15.0, [10.0, 6.0]]
