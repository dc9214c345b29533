/- The prelude: the library that every model sees, in the language itself.

   A parameter of function type is *static* where it stands under D: its argument must be known when the model is read
   (a λ, a definition, a primitive, a partial application), but may mention run-time data. These are said below.
   Everything is written so that a size of 0 works, except where a definition asks for at least one element. -/

-- Vectors

-- Each element beside a tangent of 0: a constant for the dual-numbers transformation.
def addZeroes {n} (v : array n real) : array n (real * real) :=
  build n (fun i => (v[i], 0))

-- Two arrays of one size, element by element in pairs.
def zip {n} {a : type} {b : type} (v : array n a) (w : array n b) : array n (a * b) :=
  build n (fun i => (v[i], w[i]))

-- 1 at position i, 0 elsewhere: the direction in which only element i changes.
def oneHot {n} (i : fin n) : array n real :=
  build n (fun j => if i = j then 1 else 0)

-- The same element everywhere. The size follows from the use.
def vectorFill {n} {a : type} (x : a) : array n a :=
  build n (fun i => x)

-- f of every element.
def vectorMap {n} {a : type} {b : type} (v : array n a) (f : a -> b) : array n b :=
  build n (fun i => f v[i])

-- f of every two elements at one position.
def vectorMap2 {n} {a : type} {b : type} {c : type} (v : array n a) (w : array n b) (f : a -> b -> c) : array n c :=
  build n (fun i => f v[i] w[i])

-- The sum of two vectors.
def vectorAdd {n} (v w : array n real) : array n real :=
  build n (fun i => v[i] + w[i])

-- The product of two vectors, element by element.
def vectorEMul {n} (v w : array n real) : array n real :=
  build n (fun i => v[i] * w[i])

-- A vector times a number.
def vectorSMul {n} (v : array n real) (s : real) : array n real :=
  build n (fun i => v[i] * s)

-- The sum of the elements; 0 if there are none.
def vectorSum {n} (v : array n real) : real :=
  ifold n (fun acc i => acc + v[i]) 0

-- The scalar product.
def vectorDot {n} (v w : array n real) : real :=
  ifold n (fun acc i => acc + v[i] * w[i]) 0

-- The Euclidean length.
def vectorNorm {n} (v : array n real) : real :=
  sqrt (ifold n (fun acc i => acc + v[i] * v[i]) 0)

-- The same under the names that most other libraries have, and what more they have.

-- The sum of the elements; 0 if there are none.
def sum {n} (v : array n real) : real :=
  ifold n (fun acc i => acc + v[i]) 0

-- The product of the elements; 1 if there are none. Its gradient isn't brought to the order of n.
def product {n} (v : array n real) : real :=
  ifold n (fun acc i => acc * v[i]) 1

-- The sums of the elements up to each.
def cumsum {n} (v : array n real) : array n real :=
  snd (scan n (fun acc i => let next := acc + v[i]; (next, next)) 0)

-- The products of the elements up to each.
def cumprod {n} (v : array n real) : array n real :=
  snd (scan n (fun acc i => let next := acc * v[i]; (next, next)) 1)

-- The mean of the elements.
def mean {n >= 1} (v : array n real) : real :=
  ifold n (fun acc i => acc + v[i]) 0 / real n

-- The mean of the squared distances from the mean.
def variance {n >= 1} (v : array n real) : real :=
  let centre := ifold n (fun acc i => acc + v[i]) 0 / real n;
  ifold n (fun acc i => acc + (v[i] - centre) * (v[i] - centre)) 0 / real n

-- The scalar product.
def dot {n} (v w : array n real) : real :=
  ifold n (fun acc i => acc + v[i] * w[i]) 0

-- The Euclidean length.
def norm {n} (v : array n real) : real :=
  sqrt (ifold n (fun acc i => acc + v[i] * v[i]) 0)

-- 0, 1, …, n-1. The size follows from the use, as that of the next three does.
def range {n} : array n real :=
  build n (fun i => real i)

-- n numbers at equal distances, from a to b, both of which are among them.
def linspace {n >= 2} (a b : real) : array n real :=
  build n (fun i => let t := real i / real (n - 1); a * (1 - t) + b * t)

-- The same element everywhere.
def replicate {n} {a : type} (x : a) : array n a :=
  build n (fun i => x)

-- 1 where both indices are equal, else 0.
def identity {n} : array n (array n real) :=
  build n (fun i => build n (fun j => if i = j then 1 else 0))

-- Two things of one type as an array.
def stack {a : type} (x y : a) : array 2 a :=
  [x, y]

-- v with x at position i.
def update {n} {a : type} (v : array n a) (i : fin n) (x : a) : array n a :=
  build n (fun j => if j = i then x else v[j])

-- The elements at these positions.
def gather {n m} {a : type} (v : array n a) (at : array m (fin n)) : array m a :=
  build m (fun k => v[at[k]])

-- How often each index occurs.
def histogram {n m} (at : array m (fin n)) : array n real :=
  scatter n m (fun k => (int at[k], 1))

-- For each index the sum of the elements that stand where it occurs.
def segmentSum {n m} (at : array m (fin n)) (v : array m real) : array n real :=
  scatter n m (fun k => (int at[k], v[k]))

-- v, with the elements of w added at these positions.
def updateAdd {n m} (v : array n real) (at : array m (fin n)) (w : array m real) : array n real :=
  let more := scatter n m (fun k => (int at[k], w[k]));
  build n (fun i => v[i] + more[i])

-- Parts of arrays, and arrays of parts. How many elements there are follows from the use.

-- The first element.
def first {n >= 1} {a : type} (v : array n a) : a :=
  v[0]

-- The last element.
def last {n >= 1} {a : type} (v : array n a) : a :=
  v[n - 1]

-- The first elements, as many as are wanted.
def take {n m} {a : type} (v : array (n + m) a) : array n a :=
  build n (fun i => v[i])

-- The last elements, as many as are wanted.
def drop {n m} {a : type} (v : array (n + m) a) : array m a :=
  build m (fun i => v[n + i])

-- The elements from a position on, as many as are wanted.
def slice {n m} {a : type} (v : array (n + m) a) (start : fin (m + 1)) : array n a :=
  build n (fun i => v[start + i])

-- The elements in the other order.
def reverse {n} {a : type} (v : array n a) : array n a :=
  build n (fun i => v[n - 1 - i])

-- The elements of the one array, then those of the other.
def concat {n m} (v : array n real) (w : array m real) : array (n + m) real :=
  build (n + m) (fun i => v[i else w[i - n else 0]])

-- The elements, then one more.
def append {n} {a : type} (v : array n a) (x : a) : array (n + 1) a :=
  build (n + 1) (fun i => v[i else x])

-- Each element k places further on; x where there was none.
def shift {n} {a : type} (v : array n a) (k : int) (x : a) : array n a :=
  build n (fun i => v[i - k else x])

-- The elements with x around them, before of them in front and as many behind as are wanted.
def pad {n m} {a : type} (v : array n a) (before : int) (x : a) : array m a :=
  build m (fun i => v[i - before else x])

-- All runs of m neighbours. How many these are follows from the use: `(windows v : array _ (array 3 real))`.
def windows {n m} {a : type} (v : array (n + m) a) : array (n + 1) (array m a) :=
  build (n + 1) (fun i => build m (fun j => v[i + j]))

-- Rows of as many elements as are wanted.
def reshape {n m} {a : type} (v : array (n * m) a) : array n (array m a) :=
  build n (fun i => build m (fun j => v[i * m + j]))

-- The rows one after the other.
def flatten {n m} {a : type} (v : array n (array m a)) : array (n * m) a :=
  build (n * m) (fun k => v[k / m, k % m])

-- Whether one of them isn't 0.
def any {n} (c : array n int) : int :=
  ifold n (fun found i => found || c[i]) 0

-- Whether none of them is 0.
def all {n} (c : array n int) : int :=
  ifold n (fun kept i => kept && c[i]) 1

-- How many of them aren't 0.
def count {n} (c : array n int) : int :=
  ifold n (fun k i => if c[i] then k + 1 else k) 0

-- The elements of v where c isn't 0, and those of w where it is.
def where {n} {a : type} (c : array n int) (v w : array n a) : array n a :=
  build n (fun i => if c[i] then v[i] else w[i])

-- The elements from the least to the greatest, by 2n² comparisons: each goes where as many are less, equal ones in their order.
-- The fold carries an index, so that its derivative is cheap. With a NaN among them the result says nothing.
def sort {n} (v : array n real) : array n real :=
  let rank := build n (fun i => ifold n (fun k j => if v[j] < v[i] || v[j] = v[i] && j < i then k + 1 else k) 0);
  build n (fun k => v[ifold n (fun best i => if rank[i] = int k then i else best) k])

-- Maxima and minima. The fold carries an index, which has no tangent: so their derivatives are cheap.

-- The position of the greatest element, the first of several.
def argmax {n >= 1} (v : array n real) : fin n :=
  ifold n (fun best i => if v[best] < v[i] then i else best) 0

-- The position of the least element, the first of several.
def argmin {n >= 1} (v : array n real) : fin n :=
  ifold n (fun best i => if v[i] < v[best] then i else best) 0

-- The greatest element.
def vectorMax {n >= 1} (v : array n real) : real :=
  v[argmax v]

-- The least element.
def vectorMin {n >= 1} (v : array n real) : real :=
  v[argmin v]

-- log (exp v[0] + … + exp v[n-1]), shifted by about the greatest element so that nothing overflows; not by an infinite one,
-- which would be taken from itself. The sum is the same by any shift: so it is a whole number, which has no slope.
def logSumExp {n >= 1} (v : array n real) : real :=
  let m := v[argmax v];
  let shift := floor (if abs m <= 1.7976931348623157e308 then m else 0);
  shift + log (ifold n (fun acc i => acc + exp (v[i] - shift)) 0)

-- log (exp x + exp y). An infinite number isn't taken from itself.
def logAddExp (x y : real) : real :=
  if x = y && abs x > 1.7976931348623157e308 then x
  else if x > y then x + log1p (exp (y - x)) else y + log1p (exp (x - y))

-- log (1 + exp x), a smooth max x 0. Its slope is the sigmoid of x.
def softplus (x : real) : real :=
  if x > 0 then x + log1p (exp (-x)) else log1p (exp x)

-- 1 / (1 + exp (-x)): from 0 to 1, by the exponential that doesn't overflow.
def sigmoid (x : real) : real :=
  if x >= 0 then 1 / (1 + exp (-x)) else let e := exp x; e / (1 + e)

-- The greater of x and 0. Its slope at 0 is 0.
def relu (x : real) : real :=
  max 0 x

-- exp v[i] / (exp v[0] + … + exp v[n-1]), shifted as logSumExp is.
def softmax {n >= 1} (v : array n real) : array n real :=
  let m := v[argmax v];
  let shift := floor (if abs m <= 1.7976931348623157e308 then m else 0);
  let e := build n (fun i => exp (v[i] - shift));
  let total := ifold n (fun acc i => acc + e[i]) 0;
  build n (fun i => e[i] / total)

-- The logarithms of softmax, also of what it makes 0.
def logSoftmax {n >= 1} (v : array n real) : array n real :=
  let m := v[argmax v];
  let shift := floor (if abs m <= 1.7976931348623157e308 then m else 0);
  let rest := log (ifold n (fun acc i => acc + exp (v[i] - shift)) 0);
  build n (fun i => v[i] - shift - rest)

-- Matrices: arrays of rows

-- f of every row.
def matrixMap {n m} {s : type} {t : type} (a : array n (array m s)) (f : array m s -> t) : array n t :=
  build n (fun i => f a[i])

-- The sum of two matrices.
def matrixAdd {n m} (a b : array n (array m real)) : array n (array m real) :=
  build n (fun i => build m (fun j => a[i][j] + b[i][j]))

-- Rows become columns.
def matrixTranspose {n m} {s : type} (a : array n (array m s)) : array m (array n s) :=
  build m (fun j => build n (fun i => a[i][j]))

-- The product of two matrices.
def matrixMul {n k m} (a : array n (array k real)) (b : array k (array m real)) : array n (array m real) :=
  build n (fun i => build m (fun j => ifold k (fun acc l => acc + a[i][l] * b[l][j]) 0))

-- A matrix times a vector.
def matrixVectorMul {n m} (a : array n (array m real)) (x : array m real) : array n real :=
  build n (fun i => ifold m (fun acc j => acc + a[i][j] * x[j]) 0)

-- Every element of the one times every element of the other.
def outerProduct {n m} (v : array n real) (w : array m real) : array n (array m real) :=
  build n (fun i => build m (fun j => v[i] * w[j]))

-- Rows become columns.
def transpose {n m} {s : type} (a : array n (array m s)) : array m (array n s) :=
  build m (fun j => build n (fun i => a[i][j]))

-- The product of two matrices.
def matmul {n k m} (a : array n (array k real)) (b : array k (array m real)) : array n (array m real) :=
  build n (fun i => build m (fun j => ifold k (fun acc l => acc + a[i][l] * b[l][j]) 0))

-- The elements whose two indices are equal.
def diagonal {n} {s : type} (a : array n (array n s)) : array n s :=
  build n (fun i => a[i][i])

-- The sum of the diagonal.
def trace {n} (a : array n (array n real)) : real :=
  ifold n (fun acc i => acc + a[i][i]) 0

-- Derivatives, by forward mode: one run of D for each number that changes

-- The derivative of f at x. Static: f.
def deriv (f : real -> real) (x : real) : real :=
  snd ((D f) (x, 1))

-- The gradient of f at v, of the type of v: each number is how f changes with the one in its place. Any type made of reals: a
-- number, arrays of arrays, pairs. `grad f v w` is that of `f v w` by v alone. Static: f.
def grad {p : type} (f : p -> real) (v : p) : p := _

-- The gradient of f at a matrix, by its elements. Static: f.
def gradMatrix {n m} (f : array n (array m real) -> real) (a : array n (array m real)) : array n (array m real) :=
  build n (fun i => build m (fun j =>
    snd ((D f) (build n (fun k => build m (fun l => (a[k][l], if i = k && j = l then 1 else 0)))))))

-- How all results of f change with each number of v: of the type of v, with a q in the place of each number. Static: f.
def jacobian {p : type} {q : type} {r : type} (f : p -> q) (v : p) : r := _

-- How the results of f change at v in the direction dv. Static: f.
def directional {p : type} {q : type} (f : p -> q) (v dv : p) : q := _

-- The value of f at v, and its gradient. Static: f.
def valueAndGrad {p : type} (f : p -> real) (v : p) : real * p :=
  (f v, grad f v)

-- The second derivatives of f at v. Static: f.
def hessian {n} (f : array n real -> real) (v : array n real) : array n (array n real) :=
  jacobian (fun w => grad f w) v

-- The second derivatives of f at v times dv: how the gradient changes in that direction. Static: f.
def hvp {p : type} (f : p -> real) (v dv : p) : p :=
  directional (fun w => grad f w) v dv

-- The gradient at v of the results of f, each of which counts as often as u says. Static: f.
def vjp {p : type} {q : type} (f : p -> q) (v : p) (u : q) : p := _

-- The rate at which the loss e x y changes at the parameters p in the direction dp. Static: e.
def lossDiff {a b n} (e : array a real -> array b real -> array n real -> real)
    (x : array a real) (y : array b real) (p : array n real) (dp : array n real) : real :=
  snd ((D e) (addZeroes x) (addZeroes y) (zip p dp))

-- The gradient of the loss e x y by the parameters p. Static: e.
def lossGrad {a b n} (e : array a real -> array b real -> array n real -> real)
    (x : array a real) (y : array b real) (p : array n real) : array n real :=
  build n (fun i => lossDiff e x y p (oneHot i))
