//! Scans: what they keep stands where it belongs, whichever way they go, at sizes from 0 on.

use crate::native::exact::counted;
use crate::native::read;

/// States of each kind: numbers, pairs, arrays that are changed in place or are not; what is kept before a step and behind it.
const SCANS: &str = "
def sums {n} (v : array n real) : array n real := snd (scan n (fun s i => let t := s + v[i]; (t, t)) 0)
def before {n} (v : array n real) : real * array n real := scan n (fun s i => (s * v[i], s)) 1
def back {n} (v : array n real) : real * array n real := scanr n (fun s i => (tanh (s * 0.5 + v[i]), s - v[i])) 0.25
def pairs {n} (v : array n real) : (real * int) * array n (int * real) :=
  scan n (fun s i => ((s.1 + v[i], s.2 + 1), (s.2 * 2, s.1))) (0, 3)
def rows {n} (v : array n real) : array 2 real * array n (array 2 real) := scanr n (fun s i => ([s[1], s[0] + v[i]], s)) [0, 1]
def decayed {n m} (v : array n real) (w : array m real) : array m real * array n real :=
  scan n (fun s i => (build m (fun j => s[j] * 0.5 + v[i]), v[i] * 2)) w
def recurrent {n m} (v : array n real) (a : array m (array m real)) (h : array m real) : array n (array m real) :=
  snd (scan n (fun h i =>
    let g := build m (fun j => tanh (v[i] + ifold m (fun s k => s + a[j, k] * h[k]) 0)); (g, g)) h)
def longer {n} (v : array (2 * n + 1) real) : array (2 * n + 1) real := snd (scanr (2 * n + 1) (fun s i => (max s v[i], s)) (-1))
def nested {n m} (v : array n (array m real)) : array n (array m real) :=
  build n (fun i => let t := scan m (fun s j => (s + v[i, j], s)) 0; build m (fun j => t.2[j] / (1 + t.1 * t.1)))
def within {n m} (v : array n real) (w : array m real) : real :=
  ifold n (fun s i => s + fst (scan m (fun a j => (a * 0.5 + w[j] * v[i], a)) s)) 0
def chosen {n} (v : array n real) (c : int) : array n real :=
  if c < 2 then snd (scan n (fun s i => (s + v[i], s)) 0) else snd (scanr n (fun s i => (s + v[i], s)) 0)
def guarded {n} (v : array n real) : array n real :=
  let p := snd (scan n (fun s i => (s + v[i], s)) 0);
  let q := snd (scanr n (fun s i => (s + v[i], s)) 0);
  build n (fun i => p[i] + q[i - 1 else 0])
";

#[test]
fn scans_are_the_evaluators() {
    let Some((runs, programs)) = counted(1, || read(SCANS)) else { return };
    assert!(programs == 12 && runs >= 60, "{runs} runs of {programs} programs");
}
