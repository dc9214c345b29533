-- models/recurrent.arr: a small recurrent cell, run for t steps: each state of h numbers comes of the one before and of
-- an input. The loss compares the last state with a target. The gradient goes back through the steps: what these need of
-- each state is stored on the way.
def run {t h} (w : array h (array h real)) (x : array t (array h real)) : array h real :=
  ifold t (fun state i =>
    build h (fun k => tanh (ifold h (fun sum j => sum + w[k][j] * state[j]) 0 + x[i][k])))
    (build h (fun k => 0))

def loss {t h} (x : array t (array h real)) (y : array h real) (w : array h (array h real)) : real :=
  let last := run w x;
  ifold h (fun sum k =>
    let r := last[k] - y[k];
    sum + r * r) 0

def gradient {t h} (x : array t (array h real)) (y : array h real) (w : array h (array h real))
    : array h (array h real) :=
  gradMatrix (loss x y) w
