//! Puts a scatter of one entry, which has a name, where it is used, so that the sums around its uses ask for its number alone.

use super::halves::is_cheap;
use super::pull_path::GROUP;
use super::scatter_parts::ScatterParts;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Term, Type, View};

pub(super) const LET_PUT: NativeRule = NativeRule {
    name: "letPut",
    params: &[],
    group: GROUP,
    law: Words(
        "let x := scatter n 1 (fun e => (k, v)); b(x) --> let y := v; b(scatter n 1 (fun e => (k, y))), and so of a v that is such a \
         scatter, and of tables and choices of them; let x := plus a b; c(x) --> let x := a; let y := b; c(plus x y), where a and b are such",
    ),
    condition: "k has no loops, nor has what is asked; v is named first where it costs something",
    doc: "What is one number among zeros isn't kept as an array: the sums around it ask for that number alone.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0]], ..BELOW },
    left_sides: &[
        "let x := scatter n 1 (fun e => (int k, v)); plus x b",
        "let x := scatter n 1 (fun e => (k, 1)); b(x)",
        "let x := plus (scatter n 1 (fun e => (k, v))) (scatter n 1 (fun e => (l, w))); b(x)",
        "let x := build n (fun i => scatter m 1 (fun e => (int k, exp v[i]))); b(x)",
    ],
    examples: &[
        (
            "fun (k : fin n) (v w : array n real) => let x := scatter n 1 (fun e => (int k, v[k])); plus x w",
            "fun (k : fin n) (v w : array n real) => plus (scatter n 1 (fun e => (int k, v[k]))) w",
        ),
        (
            "fun (k : fin n) (v : array n real) => let x := scatter n 1 (fun e => (int k, exp v[k])); plus x x",
            "fun (k : fin n) (v : array n real) => let x := exp v[k]; plus (scatter n 1 (fun e => (int k, x))) (scatter n 1 (fun e => \
             (int k, x)))",
        ),
        (
            "fun (k l : fin n) (v w : array n real) => let x := plus (scatter n 1 (fun e => (int k, v[k]))) (scatter n 1 (fun e => (int l, v[l]))); \
             plus x w",
            "fun (k l : fin n) (v w : array n real) => let x := scatter n 1 (fun e => (int k, v[k])); \
             let x1 := scatter n 1 (fun e => (int l, v[l])); plus (plus x x1) w",
        ),
        (
            "fun (v : array n real) (c : int) => let x := (if k : fin n := c then let y := v[k]; scatter n 1 (fun e => (int k, exp y)) else \
             build n (fun i => 0)); plus x v",
            "fun (v : array n real) (c : int) => let x := (if k : fin n := c then let y := v[k]; exp y else 0); plus (if k : fin n := c then \
             scatter n 1 (fun e => (int k, x)) else build n (fun i => 0)) v",
        ),
        (
            "fun (v : array n real) (i : fin n) => let x := build n (fun j => scatter n 1 (fun e => (int j, exp v[j]))); plus x[i] v",
            "fun (v : array n real) (i : fin n) => let x := build n (fun j => exp v[j]); plus (build n (fun j => \
             scatter n 1 (fun e => (int j, x[j]))))[i] v",
        ),
    ],
    refused: for_tests(&[
        "fun (k : array m (fin n)) (v : array m real) => let x := scatter n m (fun e => (int k[e], v[e])); plus x x",
    ]),
    function: |focus, _| let_put(focus.term).ok_or(Reason::native("no one-hot is named")),
};

/// A scatter of one entry whose key has no loop.
fn put(term: &Term) -> Option<ScatterParts> {
    ScatterParts::of(term).filter(|parts| parts.rounds.as_literal() == Some(1) && costs_no_loop(&parts.key))
}

fn are_puts(term: &Term) -> bool {
    match term.view() {
        View::Plus(a, b) => are_puts(&a) && are_puts(&b),
        _ => put(term).is_some() || term.is_zero(),
    }
}

/// The body with the one-hot in it, or the table of one-hots, whose numbers are named where they cost something.
fn let_put(term: &Term) -> Option<Term> {
    let View::Let(x, one_hot, body) = term.view() else { return None };
    if let View::Plus(a, b) = one_hot.view()
        && are_puts(&one_hot)
    {
        let sum = Term::plus(Term::var(1, a.ty()), Term::var(0, b.ty())).ok()?;
        let body = body.shift_from(1, 2).instantiate(&sum).ok()?;
        return Term::let_in(&x, a, Term::let_in(&x, b.shift(1), body).ok()?).ok();
    }
    let numbers = numbers(&one_hot)?;
    if puts_cost_nothing(&one_hot) {
        return body.instantiate(&puts(&one_hot, None)?).ok();
    }
    let number = Term::var(0, numbers.ty());
    let body = body.shift_from(1, 1).instantiate(&puts(&one_hot.shift(1), Some(number))?).ok()?;
    Term::let_in(&x, numbers, body).ok()
}

/// What is put in its place, of a scatter of one entry and of tables and choices of such: `None` of anything else.
fn numbers(term: &Term) -> Option<Term> {
    let or_zero = |branch: &Term, ty: &Type| if branch.is_zero() { Term::zero(ty) } else { numbers(branch) };
    match term.view() {
        View::Build(size, f) => {
            let View::Lam(i, ty, element) = f.view() else { return None };
            Term::build(size, Term::lam(&i, &ty, numbers(&element)?).ok()?).ok()
        }
        View::Guard(k, n, number, inside, other) if costs_no_loop(&number) => {
            let ty = numbers(&inside).or_else(|| numbers(&other))?.ty().clone();
            Term::guard(&k, n, number, or_zero(&inside, &ty)?, or_zero(&other, &ty)?).ok()
        }
        View::If(condition, then, other) if costs_no_loop(&condition) => {
            let ty = numbers(&then).or_else(|| numbers(&other))?.ty().clone();
            Term::if_else(condition, or_zero(&then, &ty)?, or_zero(&other, &ty)?).ok()
        }
        View::Let(x, value, body) => Term::let_in(&x, value, numbers(&body)?).ok(),
        _ => {
            let parts = put(term)?;
            // Its index is 0, which needs no name.
            let value = parts.value.instantiate(&Term::fin(0, parts.rounds).ok()?).ok()?;
            Some(numbers(&value).unwrap_or(value))
        }
    }
}

/// The same with this number for each, which is read from tables; without one, with its own.
fn puts(term: &Term, number: Option<Term>) -> Option<Term> {
    let under = |number: &Option<Term>| number.as_ref().map(|number| number.shift(1));
    match term.view() {
        _ if term.is_zero() => Some(term.clone()),
        View::Build(size, f) => {
            let View::Lam(i, ty, element) = f.view() else { return None };
            let read = under(&number).map(|table| Term::get(table, Term::var(0, &ty)));
            Term::build(size, Term::lam(&i, &ty, puts(&element, read.transpose().ok()?)?).ok()?).ok()
        }
        View::Guard(k, n, condition, inside, other) => {
            Term::guard(&k, n, condition, puts(&inside, under(&number))?, puts(&other, number)?).ok()
        }
        View::If(condition, then, other) => {
            Term::if_else(condition, puts(&then, number.clone())?, puts(&other, number)?).ok()
        }
        // Where it is put may not depend on what has a name.
        View::Let(_, _, body) => puts(&body, under(&number))?.lower(1),
        _ => {
            let parts = put(term)?;
            let value = match numbers(&parts.value) {
                Some(_) => puts(&parts.value, under(&number))?,
                None => under(&number).unwrap_or(parts.value.clone()),
            };
            parts.with(parts.key.clone(), value)
        }
    }
}

/// Whether the numbers that are put in place cost nothing.
fn puts_cost_nothing(term: &Term) -> bool {
    match term.view() {
        View::Build(_, f) => matches!(f.view(), View::Lam(_, _, element) if puts_cost_nothing(&element)),
        View::Guard(_, _, _, a, b) | View::If(_, a, b) => puts_cost_nothing(&a) && puts_cost_nothing(&b),
        View::Let(..) => false,
        _ => put(term).is_none_or(|parts| {
            is_cheap(&parts.value)
                || parts.value.kid_count() == 0
                || put(&parts.value).is_some_and(|_| puts_cost_nothing(&parts.value))
        }),
    }
}

fn costs_no_loop(term: &Term) -> bool {
    is_cheap(term)
        || matches!(
            term.kind(),
            Kind::Prim(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) | Kind::Within(_) | Kind::Get
        ) && (0..term.kid_count()).all(|k| costs_no_loop(&term.kid(k)))
}
