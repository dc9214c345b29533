-- models/kmeans.arr: how far points lie from the nearest of k centres, as a sum of squared distances; GradBench's `kmeans`
def cost {n d} {k >= 1} (points : array n (array d real)) (centres : array k (array d real)) : real :=
  ifold n (fun acc i =>
    let distances := build k (fun j => ifold d (fun sum c =>
      let gap := points[i][c] - centres[j][c];
      sum + gap * gap) 0);
    acc + vectorMin distances) 0

-- By the centres. Which centre is nearest is an index and isn't differentiated.
def gradient {n d} {k >= 1} (points : array n (array d real)) (centres : array k (array d real))
    : array k (array d real) :=
  gradMatrix (cost points) centres

-- The second derivative of f by each single element of a matrix: D of a term with D in it. Static: f.
def secondDerivatives {n m} (f : array n (array m real) -> real) (a : array n (array m real))
    : array n (array m real) :=
  build n (fun i => build m (fun j =>
    let hot := build n (fun k => build m (fun l => if i = k && j = l then 1 else 0));
    let rate := fun b => snd ((D f) (build n (fun k => build m (fun l => (b[k][l], hot[k][l])))));
    snd ((D rate) (build n (fun k => build m (fun l => (a[k][l], hot[k][l])))))))

def gradientSecond {n d} {k >= 1} (points : array n (array d real)) (centres : array k (array d real))
    : array k (array d real) :=
  secondDerivatives (cost points) centres

-- The step of Newton's method, element by element: first derivatives over second ones. Every centre must be nearest to
-- some point.
def dir {n d} {k >= 1} (points : array n (array d real)) (centres : array k (array d real))
    : array k (array d real) :=
  let first := gradMatrix (cost points) centres;
  let second := secondDerivatives (cost points) centres;
  build k (fun j => build d (fun c => first[j][c] / second[j][c]))
