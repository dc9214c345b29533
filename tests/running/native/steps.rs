//! Steps of loops with a state: their tables are one loop in lanes, elements of which are numbers, and arrays share space; they
//! give the same, at sizes from 0 on.

use redexter::export::nest_of;
use redexter::ground::Name;
use redexter::nest::{Freedom, Nest, NestForm, NestStyle, Pass, Stmt, each};
use redexter::term::Program;

use crate::native::exact::counted;
use crate::native::read;

/// A cell's gradient by hand, gates from arrays written out, matrices as states, neighbours, other orders, states that begin as
/// what is read behind the loop, too.
pub const STEPS: &str = "
def gradient {t h} (u : array h (array h real)) (x : array t (array h real)) : array h (array h real) :=
  let f := snd (scan t (fun s i =>
    let z := build h (fun k => tanh (ifold h (fun a j => a + u[k, j] * s[j]) x[i, k])); (z, (s, z))) (build h (fun k => 0)));
  let g := snd (scanr t (fun d i =>
    let e := build h (fun k => (1 - (snd f[i])[k] * (snd f[i])[k]) * (d[k] + 2 * (snd f[i])[k]));
    (build h (fun j => ifold h (fun a k => a + u[k, j] * e[k]) 0), e)) (build h (fun k => 0)));
  build h (fun k => build h (fun j => ifold t (fun a i => a + g[i, k] * (fst f[i])[j]) 0))
def gates {t h} (u : array 3 (array h (array h real))) (x : array t (array h real)) : array h real :=
  ifold t (fun s i =>
    let a := build h (fun k => tanh (s[k] + x[i, k])); let b := build h (fun k => a[k] * s[k]);
    build h (fun j => ifold 3 (fun c g => c + ifold h (fun c k => c + u[g, k, j] * [a, b, a][g][k]) 0) 0)) (build h (fun k => 0.5))
def matrices {t h} (m : array h (array h real)) (v : array t (array h real)) : array h (array h real) :=
  ifold t (fun m i =>
    let r := build h (fun j => ifold h (fun a k => a + m[j, k] * v[i, k]) 0);
    let s := build h (fun j => build h (fun k => m[j, k] - r[j] * v[i, k] * 0.25));
    build h (fun j => build h (fun k => s[j, k] * 0.5 + s[k, j] * 0.25))) m
def neighbours {t n} (x : array n real) (c : array t real) : array n real :=
  ifold t (fun s i =>
    let a := build n (fun j => s[j] * c[i]); let b := build n (fun j => a[j] + s[j]);
    build n (fun j => b[j] + a[j - 1 else 0] + a[j + 1 else 0])) x
def turned {t n} (x : array n real) (c : array t real) : array n real :=
  ifold t (fun s i => let a := build n (fun j => s[j] * c[i] + 1); build n (fun j => s[j] - a[n - 1 - j else 0] * 0.5)) x
def again {t n} (x : array n real) (c : array t real) : array n real :=
  let a := build n (fun j => exp x[j]);
  let b := ifold t (fun s i => build n (fun j => s[j] * c[i] + 1)) a;
  let d := ifold t (fun s i => build n (fun j => s[j] - c[i] * a[j])) b;
  build n (fun j => a[j] + b[j] * d[j])
def pairs {t n} (x : array n real) (c : array t real) : array n real * array n real :=
  ifold t (fun s i => let y := build n (fun j => sin (fst s)[j] * c[i]); (build n (fun j => y[j] + (snd s)[j]), y)) (x, x)
def chain {t} (x : array t real) : array t real :=
  let a := snd (scan t (fun s i => (tanh (s + x[i]), s)) 0);
  let b := snd (scanr t (fun s i => (sin (s * 0.5 + a[i]), s)) 1);
  let c := snd (scan t (fun s i => (cos (s - b[i]), s)) 1);
  let d := snd (scanr t (fun s i => (tanh (s * c[i]), s)) 1);
  build t (fun i => d[i] * 2)
def sums {t n} (x : array n real) (c : array t real) : real * array n real :=
  ifold t (fun s i =>
    let y := build n (fun j => (snd s)[j] * c[i]); (ifold n (fun a j => a + y[j]) (fst s), build n (fun j => y[j] * 0.5 + fst s)))
    (0, x)
";

#[test]
fn steps_are_the_evaluators() {
    let Some((runs, programs)) = counted(1, || read(STEPS)) else { return };
    assert!(programs == 9 && runs >= 45, "{runs} runs of {programs} programs");
}

fn made(name: &str, freedom: Freedom, without: Option<Pass>) -> Nest {
    let (_, program): (String, Program) =
        read(STEPS).into_iter().find(|(own, _)| own.ends_with(name)).expect("a program");
    let style = NestStyle { without, ..NestStyle::compiled(freedom) };
    nest_of(&Name::new("it"), &program, &NestForm::Fused(style)).expect("a nest")
}

fn loops(nest: &Nest) -> usize {
    let mut count = 0;
    each(&nest.body, &mut |stmt| {
        count += usize::from(matches!(stmt, Stmt::For(..) | Stmt::Lanes(..) | Stmt::Pairs(..)))
    });
    count
}

/// Tables of a step are one loop, and those that it alone reads are no arrays; neighbours and other orders stay apart.
#[test]
fn loops_of_a_step_are_one() {
    let kept = |name: &str, without: Option<Pass>| {
        let nest = made(name, Freedom::Exact, without);
        (loops(&nest), nest.temporaries.len())
    };
    let cases = [
        ("gradient", (21, 10), (27, 10)),
        ("gates", (7, 3), (9, 3)),
        ("matrices", (9, 2), (11, 3)),
        ("neighbours", (8, 3), (9, 3)),
        ("turned", (4, 1), (5, 2)),
        ("sums", (4, 1), (6, 2)),
    ];
    for (name, with, without) in cases {
        assert_eq!((kept(name, None), kept(name, Some(Pass::FuseLoops))), (with, without), "{name}");
    }
}

/// An element of an array written out is chosen among its elements: the array isn't made for each.
#[test]
fn arrays_written_out_arent_made() {
    let is_literal = |nest: &Nest| nest.temporaries.iter().any(|slot| slot.array.dims[0].as_literal().is_some());
    assert!(!is_literal(&made("gates", Freedom::Exact, None)));
}

/// What begins as something else that is read again has space of its own; what nobody reads any more leaves it.
#[test]
fn arrays_share_space() {
    let kept = |name: &str, without: Option<Pass>| made(name, Freedom::Exact, without).temporaries.len();
    for (name, with, without) in [("again", 3, 3), ("chain", 2, 4)] {
        assert_eq!((kept(name, None), kept(name, Some(Pass::ReuseSpace))), (with, without), "{name}");
    }
}

/// Sums that may be added in another order are summed by rows; where they may not, rows go side by side.
#[test]
fn rows_wait_side_by_side() {
    let lanes = |name: &str, freedom: Freedom| {
        let mut count = 0;
        each(&made(name, freedom, None).body, &mut |stmt| count += usize::from(matches!(stmt, Stmt::Lanes(..))));
        count
    };
    for (name, exact, fast) in [("gradient", 5, 2), ("gates", 2, 2), ("matrices", 3, 2)] {
        assert_eq!((lanes(name, Freedom::Exact), lanes(name, Freedom::Fast)), (exact, fast), "{name}");
    }
}
