-- models/lennard_jones.arr: the potential of Lennard and Jones of n particles in units of its depth and width, over all pairs,
-- each twice at half of its energy
def energy {n d} (x : array n (array d real)) : real :=
  ifold n (fun acc i => acc + ifold n (fun sum j =>
    sum + (if i = j then 0 else
      (let square := ifold d (fun s c => s + (x[i][c] - x[j][c]) * (x[i][c] - x[j][c])) 0;
        let sixth := 1 / (square * square * square);
        2 * (sixth * sixth - sixth)))) 0) 0

-- The forces, with the other sign.
def gradient {n d} (x : array n (array d real)) : array n (array d real) :=
  gradMatrix energy x
