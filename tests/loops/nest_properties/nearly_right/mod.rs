//! Nests that are written by hand, each right and nearly so: the verifier accepts the one, and names the place where the other
//! goes wrong.

mod plain;
mod stateful;

use redexter::ground::Name;
use redexter::nest::{LoopRange, Nest, NestSlot, NestValue, ScalarKind, Stmt, nest_text, verify};
use redexter::term::{Prim, Size, SizeBounds};

use crate::nest_properties::short::*;
use crate::nest_properties::verify::tried;

// Slots of the nests that are written by hand; their sizes are n and m.
const X: u32 = 1;
const A: u32 = 2;
const P: u32 = 3;
const W: u32 = 4;
const R: u32 = 11;
const Y: u32 = 12;
const V: u32 = 13;
const Z: u32 = 14;
const T: u32 = 21;
const B: u32 = 22;
const U: u32 = 23;
const L: u32 = 24;
const S: u32 = 31;
const K: u32 = 32;
const C: u32 = 33;
const I: u32 = 41;
const J: u32 = 42;
const O: u32 = 43;
const N: u32 = 44;
const I2: u32 = 45;
const J2: u32 = 46;

fn n() -> NestValue {
    NestValue::of(&size("n"))
}

fn m() -> NestValue {
    NestValue::of(&size("m"))
}

fn i() -> NestValue {
    load(I)
}

fn j() -> NestValue {
    load(J)
}

fn number(cell: u32, hint: &str) -> Stmt {
    Stmt::Var(slot(cell, hint, ScalarKind::Real, &[]))
}

fn integer(cell: u32, hint: &str) -> Stmt {
    Stmt::Var(slot(cell, hint, ScalarKind::Int, &[]))
}

fn x(index: NestValue) -> NestValue {
    get(X, [index])
}

/// A nest that is asked for some of the results.
fn asked(results: &[u32], body: Vec<Stmt>) -> Nest {
    let (n, m) = (size("n"), size("m"));
    let one = std::slice::from_ref::<Size>;
    let both = [n.clone(), m.clone()];
    let reals = |cell: u32, hint: &str, dims: &[Size]| slot(cell, hint, ScalarKind::Real, dims);
    let all = [reals(R, "r", &[]), reals(Y, "y", one(&n)), reals(V, "v", one(&m)), reals(Z, "z", &both)];
    let is_asked = |slot: &NestSlot| results.contains(&slot.cell);
    Nest {
        sizes: vec![Name::new("n"), Name::new("m")],
        bounds: SizeBounds::default(),
        computed: Vec::new(),
        parameters: vec![
            reals(X, "x", one(&n)),
            reals(A, "a", &both),
            slot(P, "p", ScalarKind::Int, one(&n)),
            reals(W, "w", one(&m)),
        ],
        below: vec![None, None, Some(m.clone()), None],
        results: all.into_iter().filter(is_asked).collect(),
        temporaries: vec![
            reals(T, "t", one(&n)),
            reals(B, "b", &[Size::literal(2)]),
            reals(U, "u", &[more(&n, 1)]),
            slot(L, "l", ScalarKind::Int, one(&m)),
        ],
        body,
    }
}

/// A nest whose sizes are at least one.
fn at_least_one(mut nest: Nest) -> Nest {
    nest.sizes.iter().for_each(|name| nest.bounds.require(name, 1));
    nest
}

struct Case {
    what: &'static str,
    /// What is said of the wrong one.
    says: &'static str,
    nest: fn(bool) -> Nest,
}

/// The wrong one of two.
fn pick<T>(wrong: bool, bad: T, good: T) -> T {
    if wrong { bad } else { good }
}

fn strip(inside: Vec<Stmt>) -> Stmt {
    strips(O, N, 2, &size("n"), inside)
}

/// The index of a lane of a strip.
fn lane() -> NestValue {
    add(load(O), j())
}

/// Each is found faulty by a run, too; the nest that it is one statement away from is right, and accepted.
#[test]
fn what_is_nearly_right_is_refused_with_its_place() {
    assert!(plain::CASES.len() > 30 && stateful::CASES.len() >= 10);
    for Case { what, says, nest } in plain::CASES.iter().chain(stateful::CASES) {
        let [right, wrong] = [false, true].map(nest);
        let text = |nest: &Nest| format!("{what}\n{}", nest_text("f", nest));
        assert_eq!(tried(&right, 1).err(), None, "{}", text(&right));
        assert_eq!(verify(&right), Ok(()), "{}", text(&right));
        assert!((1..20).any(|seed| tried(&wrong, seed).is_err()), "no fault: {}", text(&wrong));
        let said = verify(&wrong).expect_err(&text(&wrong));
        assert!(said.contains(says), "{said}, and not of {says}: {}", text(&wrong));
    }
}

/// Sizes at which this goes wrong aren't run: `n * m` wraps to 0 where both are 2^32, and no array has as many elements.
#[test]
fn products_are_trusted_where_an_array_has_as_many_elements() {
    let product = ints(Prim::Mul, n(), m());
    let inside = vec![set(R, [], real(0.0)), when(lt(product, int(1)), vec![set(R, [], x(n()))])];
    let mut nest = at_least_one(asked(&[R], inside));
    assert_eq!(verify(&nest), Ok(()), "{}", nest_text("f", &nest));
    nest.parameters.remove(1);
    nest.below.remove(1);
    let said = verify(&nest).expect_err("products wrap");
    assert!(said.contains("`x.1[n]`"), "{said}");
}

/// The same of multiples of an index.
#[test]
fn multiples_are_trusted_where_they_fit() {
    for (shift, is_shown) in [(10, true), (20, false)] {
        let times = ints(Prim::Mul, i(), int(1 << shift));
        let inside = vec![set(Y, [i()], real(0.0)), when(lt(times, i()), vec![set(Y, [n()], real(0.0))])];
        let nest = asked(&[Y], vec![each(I, n(), inside)]);
        assert_eq!(verify(&nest).is_ok(), is_shown, "{}", nest_text("f", &nest));
    }
}
