-- models/kmeans.arr: how far points lie from the nearest of k centres, as a sum of squared distances
def loss {n d} {k >= 1} (points : array n (array d real)) (centres : array k (array d real)) : real :=
  ifold n (fun acc i =>
    let distances := build k (fun j => ifold d (fun sum c =>
      let gap := points[i][c] - centres[j][c];
      sum + gap * gap) 0);
    acc + vectorMin distances) 0

-- By the centres. Which centre is nearest is an index and isn't differentiated.
def gradient {n d} {k >= 1} (points : array n (array d real)) (centres : array k (array d real))
    : array k (array d real) :=
  gradMatrix (fun c => loss points c) centres
