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

-- Derivatives, by forward mode: one run of D for each number that changes

-- The derivative of f at x. Static: f.
def deriv (f : real -> real) (x : real) : real :=
  snd ((D f) (x, 1))

-- The gradient of f at v: element i is how f changes with v[i]. Static: f.
def grad {n} (f : array n real -> real) (v : array n real) : array n real :=
  build n (fun i => snd ((D f) (zip v (oneHot i))))

-- The gradient of f at a matrix, by its elements. Static: f.
def gradMatrix {n m} (f : array n (array m real) -> real) (a : array n (array m real)) : array n (array m real) :=
  build n (fun i => build m (fun j =>
    snd ((D f) (build n (fun k => build m (fun l => (a[k][l], if i = k && j = l then 1 else 0)))))))

-- How every result of f changes with every v[i], the parameter's index first. Static: f.
def jacobian {n m} (f : array n real -> array m real) (v : array n real) : array n (array m real) :=
  build n (fun i =>
    let r := (D f) (zip v (oneHot i));
    build m (fun j => snd r[j]))

-- The rate at which the loss e x y changes at the parameters p in the direction dp. Static: e.
def lossDiff {a b n} (e : array a real -> array b real -> array n real -> real)
    (x : array a real) (y : array b real) (p : array n real) (dp : array n real) : real :=
  snd ((D e) (addZeroes x) (addZeroes y) (zip p dp))

-- The gradient of the loss e x y by the parameters p. Static: e.
def lossGrad {a b n} (e : array a real -> array b real -> array n real -> real)
    (x : array a real) (y : array b real) (p : array n real) : array n real :=
  build n (fun i => lossDiff e x y p (oneHot i))
