-- models/cholesky.arr: the logarithm of the determinant of a symmetric and positive definite matrix by Cholesky's decomposition,
-- column by column: a column of the factor comes of what is left of the matrix, and what it explains is taken off. Only its
-- diagonal counts for the determinant, twice.
def logDet {n} (a : array n (array n real)) : real :=
  let (total, _) := ifold n (fun (sum, rest) j =>
    let root := sqrt rest[j][j];
    let column := build n (fun i => rest[i][j] / root);
    (sum + 2 * log root, build n (fun i => build n (fun k => rest[i][k] - column[i] * column[k])))) (0, a);
  total

def gradient {n} (a : array n (array n real)) : array n (array n real) :=
  gradMatrix logDet a
