-- models/vector_max.arr: the greatest element, from the benchmarks of Shaikhha et al. (ICFP 2019). It is found by its
-- position, which has no tangent: the gradient is 1 there and 0 elsewhere.
def greatest {n >= 1} (v : array n real) : real :=
  v[argmax v]

def gradient {n >= 1} (v : array n real) : array n real :=
  grad greatest v
