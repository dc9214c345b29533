-- models/recurrent_cell.arr: a recurrent cell with a loss at every step: each state of h numbers comes of the one before and of
-- an input, a scan keeps them all, and what is read out of each is compared with a target. The gradient by both matrices
-- reads the stored states from the last to the first.
def states {t d h} (x : array t (array d real)) (w : array h (array h real)) (u : array h (array d real))
    : array t (array h real) :=
  snd (scan t (fun state i =>
    let next := build h (fun k =>
      tanh (ifold h (fun sum j => sum + w[k][j] * state[j]) 0 + ifold d (fun sum j => sum + u[k][j] * x[i][j]) 0));
    (next, next)) (build h (fun k => 0)))

def loss {t d h} (x : array t (array d real)) (y : array t real) (w : array h (array h real)) (u : array h (array d real))
    (c : array h real) : real :=
  let all := states x w u;
  ifold t (fun sum i =>
    let r := ifold h (fun sum k => sum + c[k] * all[i][k]) 0 - y[i];
    sum + r * r) 0

def gradientW {t d h} (x : array t (array d real)) (y : array t real) (w : array h (array h real))
    (u : array h (array d real)) (c : array h real) : array h (array h real) :=
  gradMatrix (fun w => loss x y w u c) w

def gradientU {t d h} (x : array t (array d real)) (y : array t real) (w : array h (array h real))
    (u : array h (array d real)) (c : array h real) : array h (array d real) :=
  gradMatrix (fun u => loss x y w u c) u

def gradient {t d h} (x : array t (array d real)) (y : array t real) (w : array h (array h real))
    (u : array h (array d real)) (c : array h real)
    : array h (array h real) * array h (array d real) * array h real :=
  (gradientW x y w u c, gradientU x y w u c, grad (fun c => loss x y w u c) c)
