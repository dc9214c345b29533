-- models/gaussian_process.arr: how well a kernel with a length for each of d dimensions aligns n points with their values
def alignment {n d} (x : array n (array d real)) (y : array n real) (lengths : array d real) (noise : real) : real :=
  ifold n (fun acc i => acc + ifold n (fun sum j =>
    let square := ifold d (fun s c => s + (x[i][c] - x[j][c]) * (x[i][c] - x[j][c]) * exp lengths[c]) 0;
    sum + y[i] * y[j] * exp (-0.5 * square)) 0) 0 + noise * noise * ifold n (fun sum i => sum + y[i] * y[i]) 0

-- By the lengths and the noise.
def gradient {n d} (x : array n (array d real)) (y : array n real) (lengths : array d real) (noise : real)
    : array d real * real :=
  (grad (fun v => alignment x y v noise) lengths, deriv (fun v => alignment x y lengths v) noise)
