-- models/heat.arr: the heat equation on a rod of n cells by s explicit steps: each cell goes towards its two neighbours, as fast as
-- it conducts. Beyond the left end is what is given for each step, beyond the right end it is 0. What the rod has come to is
-- compared with what was measured.
def loss {n s} (left : array s real) (seen : array n real) (start conductivity : array n real) : real :=
  let last := ifold s (fun u step =>
    build n (fun i => u[i] + conductivity[i] * (u[i - 1 else left[step]] - 2 * u[i] + u[i + 1 else 0]))) start;
  ifold n (fun sum i => let r := last[i] - seen[i]; sum + r * r) 0

def gradient {n s} (left : array s real) (seen : array n real) (start conductivity : array n real)
    : array n real * array n real :=
  (grad (fun p => loss left seen p conductivity) start,
    grad (fun p => loss left seen start p) conductivity)
