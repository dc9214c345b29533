-- Blocks of the Jacobian of bundle adjustment for many observations.
import "../../models/bundle_adjustment.arr"

def blocks {n} (features : array n (array 2 real)) (p : array n (array 15 real)) : array n (array 15 (array 2 real)) :=
  build n (fun i => jacobianBlock features[i] p[i])
