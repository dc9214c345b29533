-- models/nmf.arr: non-negative matrix factorisation of rank 1: how badly the products v[i] * u[j] explain the m × n
-- matrix a, as Σ_ij log (v[i] u[j]) + a[i][j] / (v[i] u[j]); from the benchmarks of Shaikhha et al. (ICFP 2019)
def divergence {m n} (a : array m (array n real)) (v : array m real) (u : array n real) : real :=
  ifold m (fun acc i => acc + ifold n (fun sum j =>
    let p := v[i] * u[j];
    sum + (log p + a[i][j] / p)) 0) 0

-- By u: v is a constant.
def gradient {m n} (a : array m (array n real)) (v : array m real) (u : array n real) : array n real :=
  grad (divergence a v) u
