//! Scatters: each value is added where it belongs, in order, and nowhere else, at sizes from 0 on.

use crate::native::exact::counted;
use crate::native::read;

/// Values of each kind, at places that may be none; several scatters at once, in loops and as states.
const SCATTERS: &str = "
def sums {n m} (k : array m (fin n)) (v : array m real) : array n real := scatter n m (fun e => (int k[e], v[e] * 2))
def outside {n m} (k : array m int) (v : array m real) : array n real := scatter n m (fun e => (k[e] - 1, v[e] + 1))
def pairs {n m} (k : array m (fin n)) (v : array m real) : array n (real * real) :=
  scatter n m (fun e => (int k[e], (v[e], exp v[e])))
def rows {n m r} (k : array m (fin n)) (v : array m (array r real)) : array n (array r real) :=
  scatter n m (fun e => (int k[e], v[e]))
def outer {n m r} (k : array m (fin n)) (v : array m real) (w : array r real) : array n (array r real) :=
  scatter n m (fun e => (int k[e], build r (fun j => v[e] * w[j])))
def two {n m r} (k : array m (array r (fin n))) (v : array r real) : array n real :=
  scatter n (m, r) (fun i j => (int k[i, j], v[j] * real i))
def chosen {m} (v : array m real) : array 3 real :=
  scatter 3 m (fun e => if v[e] > 0 then (0, v[e]) else if v[e] < -1 then (1, -v[e]) else (5, v[e]))
def used {n m} (k : array m (fin n)) (v : array m real) : array m real :=
  let t := scatter n m (fun e => (int k[e], v[e])); build m (fun e => v[e] / (1 + t[k[e]] * t[k[e]]))
def summed {n m} (k : array m (fin n)) (v : array m real) : real :=
  ifold n (fun s i => s + (scatter n m (fun e => (int k[e], v[e])))[i]) 0
def steps {n m} (k : array m (fin n)) (v : array m real) : array n real :=
  ifold 3 (fun s t => scatter n m (fun e => (int k[e], v[e] + s[k[e]]))) (build n (fun i => 1))
def state {n m} (k : array m (fin n)) (v : array m real) : array n real * real :=
  ifold 2 (fun s t => (scatter n m (fun e => (int k[e], v[e] * s.2)), s.2 + ifold n (fun a i => a + s.1[i]) 0)) (build n (fun i => 1), 2)
def each {n m r} (k : array r (array m (fin n))) (v : array m real) : array r (array n real) :=
  build r (fun b => scatter n m (fun e => (int k[b, e], v[e])))
def reversed {n} (v : array n real) : array n real := scatter n n (fun e => (n - 1 - int e, v[e]))
def both {n m} (k : array m (fin n)) (v : array m real) : array n real * array n real :=
  (scatter n m (fun e => (int k[e], v[e])), scatter n m (fun e => (int k[e] + 1, v[e])))
def scanned {n m} (k : array m (fin n)) (v : array m real) : array n real :=
  let s := snd (scan m (fun a e => (a + v[e], a)) 0); scatter n m (fun e => (int k[e], s[e]))
def same {n} (k : array n (fin n)) (v : array n real) : array n real :=
  let t := build n (fun e => exp v[k[e]]); scatter n n (fun e => (int k[e], t[e]))
def sides {n m} (k l : array m (fin n)) (v : array n real) : array n real :=
  let d := build m (fun e => v[k[e]] - v[l[e]]);
  let s := scatter n m (fun e => (int k[e], d[e] * d[e]));
  let t := scatter n m (fun e => (l[e] - 1, if d[e] > 0 then exp d[e] else 0));
  build n (fun i => s[i] - t[i])
def nearest {m} {n >= 1} (x : array m (array n real)) : array n (array n real) :=
  scatter n m (fun e => (int (ifold n (fun b j => if x[e, b] < x[e, j] then j else b) (0 : fin n)), x[e]))
def beside {n m d} (k : array m (fin n)) (x : array m (array d real)) : array n real * real * real :=
  let a := build m (fun e => ifold d (fun s j => s + exp x[e, j]) 0);
  let mean := ifold m (fun s e => s + a[e]) 0 / 100;
  let t := scan m (fun s e => let r := tanh (s + a[e] * mean); (r, (r, k[e]))) 0;
  let c := build m (fun e => (fst t.2[e]) * a[e]);
  (scatter n m (fun e => (int (snd t.2[e]), c[e] * mean)), t.1, ifold m (fun s e => s + c[e]) 0)
";

/// Tangent programs that no rule has transposed yet: they run as what they mean.
const PULLED: &str = "
def weights {n} (v : array n real) (w : real) : array n real :=
  pull (fun (d : array n real) => ifold n (fun s i => s + d[i] * v[i]) 0) w
def number (x w : real) : real := pull (fun (d : real) => let e := d * x; e + e) w
def halves {n} (v w : array n real) : real * array n real :=
  pull (fun (d : real * array n real) => build n (fun i => d.1 * v[i] + d.2[i])) w
def matrix {n m} (x : array m (array n real)) (w : array m real) : array n real :=
  pull (fun (d : array n real) => build m (fun i => ifold n (fun s j => s + x[i, j] * d[j]) 0)) w
def each {n m} (v : array n real) (w : array m real) : array m (array n real) :=
  build m (fun k => pull (fun (d : array n real) => ifold n (fun s i => s * 0.5 + d[i] * v[i]) 0) w[k])
def sums {n} (v w : array n real) : array n real := plus v (pull (fun (d : array n real) => build n (fun i => d[i] * v[i])) w)
";

#[test]
fn what_is_not_transposed_runs_as_what_it_means() {
    let Some((runs, programs)) = counted(1, || read(PULLED)) else { return };
    assert!(programs == 6 && runs >= 30, "{runs} runs of {programs} programs");
}

#[test]
fn scatters_are_the_evaluators() {
    let Some((runs, programs)) = counted(1, || read(SCATTERS)) else { return };
    assert!(programs == 19 && runs >= 95, "{runs} runs of {programs} programs");
}
