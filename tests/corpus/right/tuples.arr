-- Names for parts of pairs, and several indices in one bracket: they are the core that they are short for.

def corner {n m} (a : array n (array m real)) (i : fin n) (j : fin m) : real := a[i, j] - a[i][j] + 2 * a[i, j]
-- eval corner {"a": [[1, 2, 3], [4, 5, 6]], "i": 1, "j": 2} = 12.0
def deep {n} (a : array n (array 2 (array 3 (real * real)))) : real := ifold n (fun s i => s + a[i, 1, 2].2) 0
-- eval deep {"a": [[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]]} = 12.0
def row {n m} (a : array n (array m real)) (i : fin n) (j : fin m) : array m real := build m (fun k => a[i, k] + a[i, j])
-- eval row {"a": [[1, 2]], "i": 0, "j": 1} = [3.0, 4.0]
def third (p : real * real * real) : real := p.3
-- eval third {"p": [1, [2, 3]]} = 3.0
def fourth (p : real * real * real * real) : real * real := (p.4, p.3.1)
-- eval fourth {"p": [1, [2, [3, 4]]]} = [4.0, 3.0]
def nested (p : (real * real) * (real * real)) : real :=
  let ((a, b), (c, d)) := p;
  a + 10 * b + 100 * c + 1000 * d
-- eval nested {"p": [[1, 2], [3, 4]]} = 4321.0
def triple (p : real * real * real) : real :=
  let (a, b, c) := p;
  let (_, d) : real * real := (a, b);
  a + 10 * b + 100 * c + 1000 * d
-- eval triple {"p": [1, [2, 3]]} = 2321.0
-- The names are those of the program: what it calls `pair` is its own.
def captured (pair p : real * real) : real := let (a, p) := p; a + 10 * p + 100 * pair.1 + 1000 * pair.2
-- eval captured {"pair": [3, 4], "p": [1, 2]} = 4321.0
def moments {n} (v : array n real) : real * real := ifold n (fun (s, q) i => (s + v[i], q + v[i] * v[i])) (0, 0)
-- eval moments {"v": [1, 2, 3]} = [6.0, 14.0]
def typed (p q : real * real) : real := (fun (a, b : real * real) (c, d) => a + 10 * b + 100 * c + 1000 * d) p q
-- eval typed {"p": [1, 2], "q": [3, 4]} = 4321.0
def curried (x : real) : real := (λ ((a, b), c) d. a + 10 * b + 100 * c + 1000 * d) ((x, 2), 3) 4
-- eval curried {"x": 1} = 4321.0
-- A later parameter hides an earlier name.
def hidden (x : real) : real := (fun (a, b) a => a + 10 * b) (x, 2) 7
-- eval hidden {"x": 1} = 27.0
def slope (x : real) : real := deriv (fun y => let (a, b) := (y * y, y + 1); a * b) x
-- eval slope {"x": 2} = 16.0
def squares {n} (v w : array n real) : array n real := vectorMap (build n (fun i => v[i] * w[i])) (fun z => let (a, b) := (z, z); a * b)
-- eval squares {"v": [1, 2], "w": [3, 4]} = [9.0, 64.0]
