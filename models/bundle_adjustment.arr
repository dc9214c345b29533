-- models/bundle_adjustment.arr: where a camera sees a point, compared with where it was seen; ADBench's and GradBench's
-- `ba`. A camera has a rotation (an axis, as long as the angle), a centre, a focal length, a principal point and two
-- coefficients of radial distortion.
def cross (a b : array 3 real) : array 3 real :=
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

-- Rodrigues' formula, and its limit where the angle is 0.
def rotate (r x : array 3 real) : array 3 real :=
  let square := vectorDot r r;
  if square = 0 then vectorAdd x (cross r x)
  else
    let angle := sqrt square;
    let axis := vectorSMul r (1 / angle);
    let c := cos angle;
    let s := sin angle;
    let turned := cross axis x;
    let along := vectorDot axis x * (1 - c);
    build 3 (fun i => x[i] * c + turned[i] * s + axis[i] * along)

-- The weighted error in the image, for one observation with the parameters p: the camera's eleven (rotation, centre,
-- focal length, principal point, distortion), the point's three coordinates, and the weight.
def error (feature : array 2 real) (p : array 15 real) : array 2 real :=
  let seen := rotate [p[0], p[1], p[2]] [p[11] - p[3], p[12] - p[4], p[13] - p[5]];
  let u := [seen[0] / seen[2], seen[1] / seen[2]];
  let rho := vectorDot u u;
  let scale := p[6] * (1 + p[9] * rho + p[10] * (rho * rho));
  let centre := [p[7], p[8]];
  build 2 (fun i => p[14] * (scale * u[i] + centre[i] - feature[i]))

-- The block of one observation: a row for each parameter, a column for each coordinate in the image.
def jacobianBlock (feature : array 2 real) (p : array 15 real) : array 15 (array 2 real) :=
  jacobian (error feature) p

-- The error of a weight, and how it changes with the weight.
def weightError (w : real) : real :=
  1 - w * w

def gradientWeight (w : real) : real :=
  deriv weightError w

-- What one observation depends on, side by side: camera, point and weight.
def parameters (camera : array 11 real) (x : array 3 real) (w : real) : array 15 real :=
  [camera[0], camera[1], camera[2], camera[3], camera[4], camera[5], camera[6], camera[7], camera[8], camera[9],
    camera[10], x[0], x[1], x[2], w]

-- All observations: which camera saw which point where, and with which weight. The errors in the image, and those of the
-- weights.
def errors {n m p} (cameras : array n (array 11 real)) (points : array m (array 3 real)) (w : array p real)
    (camera : array p (fin n)) (point : array p (fin m)) (features : array p (array 2 real))
    : array p (array 2 real) * array p real :=
  (build p (fun i => error features[i] (parameters cameras[camera[i]] points[point[i]] w[i])),
    build p (fun i => weightError w[i]))

-- The Jacobian of the errors, as a sparse matrix row by row: the columns and the values of the fifteen entries of each row,
-- two rows for each observation; then the weights' part, which is diagonal. Its columns are all cameras' parameters, all
-- points' coordinates, all weights.
def rowsOfJacobian {n m p} (cameras : array n (array 11 real)) (points : array m (array 3 real)) (w : array p real)
    (camera : array p (fin n)) (point : array p (fin m)) (features : array p (array 2 real))
    : array p (array 2 (array 15 int)) * array p (array 2 (array 15 real)) * array p real :=
  (build p (fun i => build 2 (fun row => build 15 (fun c =>
    if c < 11 then 11 * int camera[i] + int c
    else if c < 14 then 11 * n + 3 * int point[i] + int c - 11
    else 11 * n + 3 * m + int i))),
    build p (fun i =>
      let block := jacobianBlock features[i] (parameters cameras[camera[i]] points[point[i]] w[i]);
      build 2 (fun row => build 15 (fun c => block[c][row]))),
    build p (fun i => gradientWeight w[i]))
