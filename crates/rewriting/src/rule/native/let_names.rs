//! Puts in all that costs nothing of the lets that follow each other, such as the arguments that a function's parameters name.

use super::lets::front_lets;
use crate::rule::condition::is_cheap;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Node, Term};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "letsSubstCheap",
    params: &[],
    group: "Functions and let",
    law: Words("let x := a; ..; let y := b; c(x, y) --> c(a, b), of all that costs nothing"),
    condition: "only lets stand in between; pairs and arrays that are built are left to letHalves and letAt",
    doc: "Substitutes what costs nothing of the lets that follow each other: letSubstCheap, as often as it goes, from the last.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), scope: 1, ..BELOW },
    left_sides: &[
        "let x := fst a; b(x)",
        "let x := fst a; let y := b[i]; c(x, y)",
        "let x := a; let y := fst b; let z := c[i]; d(x, y, z)",
    ],
    examples: &[
        (
            "fun (v w : real) => let x := v; let y := w; let z := x * y; z * x",
            "fun (v w : real) => let z := v * w; z * v",
        ),
        ("fun (v : real * real) => let x := fst v; x * x", "fun (v : real * real) => fst v * fst v"),
    ],
    refused: for_tests(&[
        "fun (v : real) => let x := v * v; x * x",
        "fun (v : real) => let x := (v, v); fst x * snd x",
    ]),
    function: |focus, _| substituted(focus.term).ok_or(Reason::native("all of the lets here cost something")),
}];

/// What no other rule takes apart.
fn is_left_here(value: &Node) -> bool {
    !matches!(value.kind(), Kind::Pair | Kind::Build(_))
}

fn substituted(term: &Term) -> Option<Term> {
    let (lets, mut body) = front_lets(term.clone());
    let mut some = false;
    for (x, value) in lets.into_iter().rev() {
        let cheap = is_left_here(&value) && is_cheap(&value, body.as_part());
        some |= cheap;
        body = if cheap { body.instantiate(&value).ok()? } else { Term::let_in(&x, value, body).ok()? };
    }
    some.then_some(body)
}
