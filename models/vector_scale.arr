-- models/vector_scale.arr: a vector times a scalar, from the benchmarks of Shaikhha et al. (ICFP 2019)
def scaled {n} (v : array n real) (s : real) : array n real :=
  build n (fun i => v[i] * s)

-- How each element changes with the scalar: the vector itself.
def gradientByScalar {n} (v : array n real) (s : real) : array n real :=
  let r := (D (scaled v)) (s, 1);
  build n (fun i => snd r[i])
