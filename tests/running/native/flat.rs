//! Loops over products of sizes whose rounds take their index apart: as loops in loops they give the same, at sizes from 0 on.

use redexter::export::nest_of;
use redexter::ground::Name;
use redexter::nest::{Freedom, Nest, NestForm, NestStyle, NestValue, Pass, each_value};
use redexter::term::{Prim, Program};

use crate::native::exact::counted;
use crate::native::read;

/// Builds, folds and scatters; quotient and rest by either size, by numbers, by several sizes after each other, and the index as
/// it is beside them.
pub(in crate::native) const FLAT: &str = "
def table {n m} (x : array n real) (y : array m real) : array (n * m) real := build (n * m) (fun k => x[k / m] - y[k % m])
def back {n m} (x : array (n * m) real) : array (m * n) real := build (m * n) (fun k => x[(k % n) * m + k / n])
def sum {n m} (x : array n real) (y : array m real) : real := ifold (n * m) (fun s k => s * 0.5 + x[k / m] * y[k % m]) 0
def cube {n m l} (x : array n (array m (array l real))) : real :=
  ifold (n * m * l) (fun s k => s * 0.5 + x[k / (m * l), (k % (m * l)) / l, k % l]) 0
def beside {n m} (x : array (n * m) real) (y : array m real) : real :=
  ifold (n * m) (fun s k => s * 0.5 + x[k] * y[k % m] + real (int k)) 0
def outer {n m l} (x : array n real) : real := ifold (n * m * l) (fun s k => s * 0.5 + x[k / (m * l)]) 0
def middle {n m l} (x : array m real) : real := ifold (n * m * l) (fun s k => s * 0.5 + x[(k % (m * l)) / l]) 0
def mixed {n m l} (x : array (n * m) real) (y : array (m * l) real) (z : array m real) : real :=
  ifold (n * m * l) (fun s k => s * 0.5 + x[k / l] * y[k % (m * l)] + z[(k / l) % m]) 0
def again {n m l} (x : array n real) (y : array (m * l) real) (z : array (n * m) real) : real :=
  ifold (n * m * l) (fun s k => s * 0.5 + y[k % (m * l)] * z[k / l] - x[k / (m * l)]) 0
def threes {n} (x : array n (array 3 real)) : real := ifold (n * 3) (fun s k => s * 0.5 + x[k / 3, k % 3]) 0
def ones {n} (x : array n real) : real := ifold (n * 1) (fun s k => s * 0.5 + x[k / 1] + real (k % 1)) 0
def moved {n m} (v : array n real) (w : array m real) : array (m + n) real :=
  scatter (m + n) (n, m) (fun i j => (int i + int j, v[i] * w[j]))
def beyond {n m} (v : array n real) (w : array m real) : array n real :=
  scatter n (n, m) (fun i j => (int i - int j, v[i] * w[j]))
def away {n m} (v : array n real) (w : array m real) : array n real * array m real :=
  (scatter n (n, m) (fun i j => (int i, v[i] + w[j])), scatter m (n, m) (fun i j => (int j, v[i] - w[j])))
def inside {n m l} (v : array n real) (w : array m real) (x : array l real) : array l (array (m + n) real) :=
  build l (fun k => scatter (m + n) (n, m) (fun i j => (int i + int j, v[i] * w[j] + x[k])))
def turned {n m} (w : array (n + 1) (array (n + 1) real)) : array (n + 1) (array (n + 1) real) :=
  let t := scatter (n + 1) (n + 1, m) (fun i j => (int j, w[i])); build (n + 1) (fun i => build (n + 1) (fun j => t[j, i]))
def last {n m l} (x : array n real) (y : array l real) : real :=
  ifold (n * m * l) (fun s k => s * 0.5 + y[k % l] * x[k / (m * l)]) 0
def copied {n m} (v : array n real) (w : array m real) : array n real * array n real :=
  let t := scatter n (n, m) (fun i j => (int i, v[i] * w[j])); (t, build n (fun i => t[i]))
def wider {n m} (v : array (m + 1) real) (w : array n real) : array n real :=
  scatter n (n, m + 1) (fun i j => (int j, v[j] * w[i]))
def longer {n m} (x : array (n + 2) (array (m + 1) real)) : real :=
  ifold ((n + 2) * (m + 1)) (fun s k => s * 0.5 + x[k / (m + 1), k % (m + 1)]) 0
";

#[test]
fn loops_over_products_are_the_evaluators() {
    let Some((runs, programs)) = counted(1, || read(FLAT)) else { return };
    assert!(programs == 20 && runs >= 100, "{runs} runs of {programs} programs");
}

/// The nest of a program, a pass left out.
fn made(program: &Program, without: Option<Pass>) -> Nest {
    let style = NestStyle { without, ..NestStyle::compiled(Freedom::Exact) };
    nest_of(&Name::new("it"), program, &NestForm::Fused(style)).expect("a nest")
}

/// How often it divides integers.
fn divisions(nest: &Nest) -> usize {
    fn inside(value: &NestValue) -> usize {
        let mut count = usize::from(matches!(value, NestValue::Prim(Prim::Quot | Prim::Rem, ..)));
        value.each_part(&mut |part| count += inside(part));
        count
    }
    let mut count = 0;
    each_value(&nest.body, &mut |value| count += inside(value));
    count
}

/// But for loops that fill a table, which isn't shown to be whole where its places are sums of products; by 1 there is no loop in
/// the loop.
#[test]
fn loops_in_loops_divide_nothing() {
    for (name, program) in read(FLAT) {
        assert!(divisions(&made(&program, Some(Pass::SplitProducts))) > 0, "{name} divides nowhere");
        let may = ["table", "back", "ones"].iter().any(|own| name.ends_with(own));
        assert_eq!(divisions(&made(&program, None)) > 0, may, "{name}");
    }
}

/// A table that is copied into a result is that result, once.
#[test]
fn results_are_no_copies() {
    let kept = |without: Option<Pass>, name: &str| {
        let (_, program) = read(FLAT).into_iter().find(|(own, _)| own.ends_with(name)).expect("a program");
        made(&program, without).temporaries.len()
    };
    for (name, with, without) in [("moved", 0, 1), ("away", 0, 2), ("inside", 1, 1)] {
        assert_eq!(kept(None, name), with, "{name}");
        assert_eq!(kept(Some(Pass::Coalesce), name), without, "{name}");
    }
}
