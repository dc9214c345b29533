//! Brings sums and products of reals into a normal form.

use super::ring::{Product, addends, is_real, is_zero, rank, total};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Text;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Prim, Term, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "arrange",
    params: &[],
    group: "Sums and products",
    law: Text(&["b * (3 * (a * 2)) --> 6 * a * b", "b + (3 * a + a) --> 4 * a + b"]),
    condition: "the operands of nested `+`, `-`, `*`, `/` and signs, in an order of their own: numbers together and in \
                front, also those of inner sums and choices with 0; like addends collected; what is divided by behind, \
                unless it cancels a factor, be it inside a choice with 0, which is not 0",
    doc: "Writes what differs only in order and grouping in one way, so that cse finds it, and the rules that look at \
          two operands see neighbours. Includes collect and mulRecip.",
    exactness: Exactness::Reassociating,
    inspects: Inspection {
        heads: HeadFilter::Of(&[
            Head::Prim(Prim::Add),
            Head::Prim(Prim::Sub),
            Head::Prim(Prim::Mul),
            Head::Prim(Prim::Div),
            Head::Prim(Prim::Neg),
        ]),
        guard: is_real,
        ordered: true,
        ..BELOW
    },
    left_sides: &[
        "b * (3 * (a * 2))",
        "b + (3 * a + a)",
        "a - (b - c)",
        "-(a * -(b))",
        "a / b * c / (d * a)",
        "2 + (e + 3)",
        "(e * b + a) - b * e",
        "0 * a + b",
        "ifold n (fun a i => a + f(i) * 2) 0 * e",
        "b / (a * 3)",
        "a * (if c then b * e else 0) / e",
        "sin a * sin b",
    ],
    examples: &[
        ("fun (v : real) => v * 3 * 2", "fun (v : real) => 6 * v"),
        ("fun (v : real) => exp v + (3 * v + v)", "fun (v : real) => 4 * v + exp v"),
        ("fun (v w : real) => v * w / v", "fun (v w : real) => w"),
        (
            "fun (u v w : real) (c : int) => u * (if c then v * w else 0) / w",
            "fun (u v w : real) (c : int) => u * (if c then v else 0)",
        ),
    ],
    refused: for_tests(&["fun (v : real) => 2 * v", "fun (v : int) => v * 2 * 3"]),
    function: |focus, _| arrange(focus.term).ok_or(Reason::native("no sum or product, or it is arranged already")),
}];

fn arrange(term: &Term) -> Option<Term> {
    if !is_real(term) {
        return None;
    }
    let new = match term.kind() {
        Kind::Prim(Prim::Add | Prim::Sub) => sum(term)?,
        Kind::Prim(Prim::Mul | Prim::Div | Prim::Neg) => product(term)?.term()?,
        _ => return None,
    };
    // What is arranged already must be refused, otherwise the rule would apply to its own result.
    if new == *term { None } else { Some(new) }
}

/// `None` where the number isn't finite, or where 0 is divided by a 0 that is written there.
fn product(term: &Term) -> Option<Product> {
    let mut all = Product::pulled(term);
    if all.number == 0.0 {
        let is_number = !all.divisors.iter().any(is_zero);
        return is_number.then(|| Product { number: 0.0, ..Product::one() });
    }
    let Product { factors, divisors, .. } = &mut all;
    divisors.retain(|divisor| !cancel(factors, divisor));
    factors.sort_by_cached_key(rank);
    divisors.sort_by_cached_key(rank);
    // Finite numbers whose product overflows have to stay apart.
    all.number.is_finite().then_some(all)
}

/// Takes a factor away, be it inside a choice with 0; whether it was there.
fn cancel(factors: &mut Vec<Term>, divisor: &Term) -> bool {
    if let Some(k) = factors.iter().position(|factor| factor == divisor) {
        factors.remove(k);
        return true;
    }
    let inside = |factor: &Term| {
        let View::If(c, then, other) = factor.view() else { return None };
        let mut product = Product::of(&then);
        let there = is_zero(&other) && cancel(&mut product.factors, divisor);
        there.then(|| Term::if_else(c, product.term()?, other).ok())?
    };
    let found = factors.iter().enumerate().find_map(|(k, factor)| Some((k, inside(factor)?)));
    found.map(|(k, rest)| factors[k] = rest).is_some()
}

fn sum(term: &Term) -> Option<Term> {
    let mut like: Vec<(Term, f64)> = Vec::new();
    for (minus, addend) in addends(term) {
        let mut product = product(&addend)?;
        let number = if minus { -product.number } else { product.number };
        product.number = 1.0;
        let rest = product.term()?;
        match like.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, sum)) => *sum += number,
            None => like.push((rest, number)),
        }
    }
    like.retain(|(_, number)| *number != 0.0);
    like.sort_by_cached_key(|(rest, number)| (*number < 0.0, rank(rest)));
    let addend = |(rest, number): (Term, f64)| {
        let product = Product { number: number.abs(), ..Product::of(&rest) };
        number.is_finite().then(|| Some((number < 0.0, product.term()?)))?
    };
    let all: Vec<(bool, Term)> = like.into_iter().map(addend).collect::<Option<_>>()?;
    if all.is_empty() { Some(Term::real(0.0)) } else { total(all) }
}
