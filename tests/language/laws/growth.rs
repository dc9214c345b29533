//! Wide programs: what is done to them must not grow with the square of their length, or these tests would not end.

use std::cell::Cell;
use std::fmt::Write;

use redexter::ad::dual;
use redexter::ground::Name;
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::{Node, Prim, Term, Type, View};

use crate::laws::host::TestHost;
use crate::laws::{deep, model};

/// Reads `main`, prints it, reads it back, takes D of it and substitutes under its parameters.
fn goes_through(text: String, least: u64) {
    deep(move || {
        let host = TestHost::new();
        let read = model(&host, &text).unwrap_or_else(|why| panic!("{why}"));
        let program = read.program("main", &host.budget).expect("a term");
        assert!(program.term.size() >= least, "{} nodes", program.term.size());
        let printed = print_term(&program.term, &PrintStyle { width: 80 });
        let again = host.term(&printed).unwrap_or_else(|why| panic!("{why}"));
        assert!(again.term == program.term);
        let d = dual(&program.term).expect("a derivative");
        assert!(d.size() > program.term.size());
        let View::Lam(_, ty, body) = program.term.view() else { panic!("a parameter") };
        let value = Term::var(7, &ty);
        let moved = body.instantiate(&value).expect("a value of this type");
        assert_eq!(moved.size(), body.size());
    });
}

#[test]
fn a_flat_term_of_200_000_nodes() {
    let elements: Vec<String> = (0..40_000).map(|k| format!("x * {k} + 1")).collect();
    goes_through(format!("def main (x : real) := [{}]", elements.join(", ")), 200_000);
}

#[test]
fn many_lets_that_use_each_other() {
    let mut text = "def main (x : real) := let y0 := x;".to_owned();
    for k in 1..1_500 {
        write!(text, " let y{k} := y{} * 2 + y{};", k - 1, k / 2).expect("a string");
    }
    goes_through(format!("{text} y1499"), 7_000);
}

#[test]
fn many_definitions_that_use_the_first() {
    let mut text = "def f0 (x : real) := x + 1\n".to_owned();
    for k in 1..2_000 {
        writeln!(text, "def f{k} (x : real) := f{} x + f0 (x * {k})", k / 2).expect("a string");
    }
    goes_through(format!("{text} def main (x : real) := f1999 x"), 50);
}

#[test]
fn many_numerals_that_only_the_end_decides() {
    let sum: Vec<String> = (0..400).map(|k| format!("y{k}")).collect();
    let lets: String = (0..400).map(|k| format!("let y{k} := {k}; ")).collect();
    goes_through(format!("def main (x : real) := {lets}({}) * x", sum.join(" + ")), 1_200);
}

#[test]
fn many_size_equations() {
    let mut text =
        "def join {n m} (v : array n real) (w : array m real) : array (n + m) real := build (n + m) (fun i => 1)\n"
            .to_owned();
    write!(text, "def main (x : real) := let w0 := [x];").expect("a string");
    for k in 1..300 {
        write!(text, " let w{k} := join w{} [x];", k - 1).expect("a string");
    }
    goes_through(format!("{text} w299"), 900);
}

#[test]
fn substitution_asks_for_a_shared_variable_once_for_each_place_and_skips_what_is_closed() {
    let real = Type::real();
    let add = |a: Term, b: Term| Term::prim(Prim::Add, vec![a, b]).expect("a sum");
    let mut closed = Term::real(1.0);
    let mut doubled = Term::var(0, &real);
    for _ in 0..60 {
        closed = add(closed.clone(), closed);
        doubled = add(doubled.clone(), doubled);
    }
    let whole = add(add(closed, doubled), Term::var(3, &real));
    let asked = Cell::new(0);
    let moved = whole
        .substitute(&|i| {
            asked.set(asked.get() + 1);
            Term::var(i + 1, &real)
        })
        .expect("variables of the same type");
    assert_eq!(moved, whole.shift(1));
    assert!(asked.get() <= 3, "asked {} times", asked.get());
}

#[test]
fn moving_a_term_keeps_its_node() {
    let real = Type::real();
    let x = |i| Term::var(i, &real);
    let big = (0..1000).fold(x(1), |t, _| Term::prim(Prim::Mul, vec![t, x(0)]).expect("a product"));
    let under = |t: Term| Term::lam(&Name::new("x"), &real, t).expect("a function");
    for moved in [big.shift(5), big.rename(|i| 9 - i), big.shift(2).lower(2).expect("nothing lost")] {
        assert_eq!(moved.fingerprint(), big.fingerprint());
        assert!(std::ptr::eq::<Node>(&*moved, &*big), "the same node");
    }
    let body = under(big.clone()).kid(0);
    assert!(std::ptr::eq::<Node>(&*body, &*big));
    let closed = under(under(big.clone()));
    let shifted = under(closed.clone()).kid(0);
    assert!(shifted.same(&closed));
}
