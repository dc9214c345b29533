//! Arithmetic with numbers that are known before anything runs.

use redexter::export::nest_of;
use redexter::ground::Name;
use redexter::nest::{Freedom, NestForm, NestStyle, nest_text};

use crate::native::exact::counted;
use crate::native::read;

/// Zeros that differ by their sign alone, and arithmetic with numbers that are known before anything runs.
const KNOWN: &str = "
def below {n} (x : array n real) : array n real := build n (fun i => 1 / (0 - abs (x[i] * 0)))
def counted {n} (x : array n real) : array n real := build n (fun i => 1 / (real (n * 0) - real (n * 0) - real (int i * 0)))
def signed {n} (x : array n real) : array n real := build n (fun i => 1 / (if x[i] < 0 then 0 else -0))
def apart {n} (x : array n real) : array n (real * real) := build n (fun i => let a := x[i] * 0; let b := x[i] * (-0); (1 / a, 1 / b))
def hots {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  let hot := build 3 (fun o => build 3 (fun p => if o = p then 1 else 0));
  build n (fun i => build 3 (fun o =>
    let s := x[i][0] * hot[o][0] + x[i][1] * (0 - hot[o][1]) - 0 * x[i][2];
    s / hot[o][2] + (x[i][2] - hot[o][0]) / (if o = 1 then 1 else -0)))
def tables {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  let hot := [[1, 0, -0], [0, 1, 2], [-0, 0.5, 1 / 0]];
  build n (fun i => build 3 (fun o => x[i][0] * hot[0][0] - hot[0][1] + (if o = 1 then hot[0][2] else x[i][o]) * hot[o][0] + hot[1][1] * hot[2][2] - hot[1][0] * hot[2][2] ))
def folds {n} (x : array n (array 3 real)) : array 3 real :=
  let hot := [1, 0, -0];
  let s := build 3 (fun o => if o = 1 then hot[0] else if o = 2 then hot[1] else hot[2]);
  let t := build 3 (fun o => if o = 0 then 1 else if o = 1 then -0 else 0);
  ifold n (fun acc i => build 3 (fun o => if o = 2 then acc[o] - s[2] * t[1] + x[i][1] * t[o] else acc[o] * t[0] - t[2])) t
def zeros {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  build n (fun i => let y := build 3 (fun o => x[i][o] * x[i][0]);
    build 3 (fun o => (if o = 0 then y[0] * (-0) else y[o] * 0) + (if o = 1 then 0 else -0)))
def idle {n} (v : array n real) : real :=
  1 / ifold n (fun s i => if v[i] < -1000000 then s + v[i] else s) (0 * -1)
def taken {n} (x : array n (array 3 real)) : array 3 real :=
  let hot := [1, 0, -0];
  let s := build 3 (fun o => if o = 1 then hot[0] else if o = 2 then hot[1] else hot[2]);
  ifold n (fun acc i => build 3 (fun o => if o = 2 then acc[o] + x[i][1] else 1 / (x[i][o] * 0 - s[0]))) s
def lanes {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  build n (fun i => let y := build 3 (fun o => if o = 0 then x[i][1] * 2 else if o = 1 then x[i][0] else x[i][1] * 2);
   build 3 (fun o => if o = 0 then y[2] - y[0] else if o = 1 then ifold 3 (fun a k => if k = 1 then a * y[k] else a + y[k]) (y[0] * 2) else y[1] * 2 + y[0] * 2))
";

#[test]
fn known_numbers_keep_their_bits() {
    let Some((runs, programs)) = counted(1, || read(KNOWN)) else { return };
    assert!(programs == 11 && runs >= 55, "{runs} runs of {programs} programs");
}

#[test]
fn known_numbers_are_in_no_fused_loop() {
    let form = NestForm::Fused(NestStyle::compiled(Freedom::Exact));
    for (name, program) in
        read(KNOWN).iter().filter(|(name, _)| ["tables", "zeros", "lanes"].iter().any(|n| name.ends_with(n)))
    {
        let nest = nest_of(&Name::new(name), program, &form).expect("a nest");
        let text = nest_text(name, &nest);
        assert!(text.contains("strips ") && !text.contains("* 1.0)") && !text.contains("(if (o."), "{text}");
    }
}
