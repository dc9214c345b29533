-- models/springs.arr: the energy of m springs between n points of d coordinates, each spring between the points that data say,
-- with a length at which it rests. What is read at data gives its gradient where data say: a scatter for each end.
def energy {n m d} (start end : array m (fin n)) (stiff rest : array m real) (x : array n (array d real)) : real :=
  ifold m (fun sum e =>
    let square := ifold d (fun t c => let r := x[end[e]][c] - x[start[e]][c]; t + r * r) 0;
    let stretch := sqrt (square + 1e-6) - rest[e];
    sum + stiff[e] * stretch * stretch) 0

def gradient {n m d} (start end : array m (fin n)) (stiff rest : array m real) (x : array n (array d real))
    : array n (array d real) :=
  gradMatrix (energy start end stiff rest) x
