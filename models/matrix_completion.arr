-- models/matrix_completion.arr: m known entries of a matrix of n rows and k columns, by the product of rows of d numbers for
-- each and offsets of rows and columns, with a penalty on what is used.
def loss {n k m d} (row : array m (fin n)) (column : array m (fin k)) (y : array m real) (u : array n (array d real))
    (v : array k (array d real)) (a : array n real) (b : array k real) : real :=
  ifold m (fun sum e =>
    let r := ifold d (fun t c => t + u[row[e]][c] * v[column[e]][c]) 0 + a[row[e]] + b[column[e]] - y[e];
    let used := ifold d (fun t c => t + u[row[e]][c] * u[row[e]][c] + v[column[e]][c] * v[column[e]][c]) 0;
    sum + r * r + 0.01 * used) 0

def gradient {n k m d} (row : array m (fin n)) (column : array m (fin k)) (y : array m real) (u : array n (array d real))
    (v : array k (array d real)) (a : array n real) (b : array k real)
    : array n (array d real) * array k (array d real) * array n real * array k real :=
  (gradMatrix (fun u => loss row column y u v a b) u,
    gradMatrix (fun v => loss row column y u v a b) v,
    grad (fun a => loss row column y u v a b) a,
    grad (fun b => loss row column y u v a b) b)
