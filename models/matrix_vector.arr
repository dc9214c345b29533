-- models/matrix_vector.arr: a matrix times a vector, and how it changes with the vector; from the benchmarks of
-- Shaikhha et al. (ICFP 2019)
def product {n m} (a : array n (array m real)) (x : array m real) : array n real :=
  build n (fun i => ifold m (fun acc j => acc + a[i][j] * x[j]) 0)

-- By x. The index of x comes first, so this is the transpose of a.
def jacobianByVector {n m} (a : array n (array m real)) (x : array m real) : array m (array n real) :=
  jacobian (fun u => product a u) x
