-- error E0301 at 4:29
-- The bound name is gone behind its `fun`.
def f {n} (v : array n real) : real :=
  (build n (fun i => v[i]))[i]
