-- models/vector_add.arr: the sum of two vectors, from the benchmarks of Shaikhha et al. (ICFP 2019)
def added {n} (v w : array n real) : array n real :=
  build n (fun i => v[i] + w[i])

-- By the first vector: the unit matrix.
def jacobianByFirst {n} (v w : array n real) : array n (array n real) :=
  jacobian (fun u => added u w) v
