-- models/lstm.arr: a long short-term memory of h cells over t inputs of d numbers, with a loss at every step. Each of its four
-- gates has weights, recurrent weights and a bias: what is kept of the memory, what is written into it, what it is written with,
-- and what of it is shown. The state is what was shown last and the memory. A gate is open by 1 / (1 + exp (-x)), written so that
-- it can't overflow.
def gate (x : real) : real := 0.5 + 0.5 * tanh (x / 2)

def loss {t d h} (x : array t (array d real)) (y : array t (array h real)) (w : array 4 (array h (array d real)))
    (u : array 4 (array h (array h real))) (b : array 4 (array h real)) : real :=
  let shown := snd (scan t (fun (last, memory) i =>
    let z := build 4 (fun g => build h (fun k => dot w[g][k] x[i] + dot u[g][k] last + b[g][k]));
    let next := build h (fun k => gate z[0][k] * memory[k] + gate z[1][k] * tanh z[2][k]);
    let out := build h (fun k => gate z[3][k] * tanh next[k]);
    ((out, next), out)) (vectorFill 0, vectorFill 0));
  ifold t (fun sum i => sum + ifold h (fun e k => let r := shown[i][k] - y[i][k]; e + r * r) 0) 0

def gradient {t d h} (x : array t (array d real)) (y : array t (array h real)) (w : array 4 (array h (array d real)))
    (u : array 4 (array h (array h real))) (b : array 4 (array h real))
    : array 4 (array h (array d real)) * array 4 (array h (array h real)) * array 4 (array h real) :=
  grad (fun (w, u, b) => loss x y w u b) (w, u, b)
