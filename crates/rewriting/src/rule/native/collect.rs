//! Collects like terms of sums, and cancels inverse factors of products, up to order and grouping.

use super::ring::{OperandSorter, Product, SUM_HEADS, addends, is_real, is_sum, total};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Text;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Prim, Term};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "collect",
        params: &[],
        group: "Sums and products",
        law: Text(&["c * p + d * p --> (c + d) * p"]),
        condition: "c and d are numbers; p up to bound names and the order and grouping of sums and products, numbers \
                    pulled out of inner sums and choices",
        doc: "Adds like terms up, such as the two halves of the derivative of a square.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { heads: SUM_HEADS, guard: is_real, ..BELOW },
        left_sides: &[
            "2 * e + 3 * e",
            "e + e",
            "e - e",
            "e * b + b * e",
            "2 * e - e + b",
            "(b + e) * 3 - (e + b)",
            "e * b + (-(b * e))",
            "ifold n (fun a i => a + 2 * f(i)) 0 + ifold n (fun a i => a + f(i)) 0",
            "(if c then 2 * e else 0) + (if c then e else 0)",
            "e / 2 + e",
        ],
        examples: &[
            ("fun (v w : real) => v * w + w * v", "fun (v w : real) => 2 * v * w"),
            ("fun (v w : real) => v * 2 - w - v", "fun (v w : real) => v - w"),
            (
                "fun (v w : array n real) => ifold n (fun a i => a + v[i] * w[i]) 0 + ifold n (fun a j => a + 2 * \
             w[j] * v[j]) 0",
                "fun (v w : array n real) => 3 * ifold n (fun a i => a + v[i] * w[i]) 0",
            ),
            ("fun (v : real) => v - v", "fun (v : real) => (0 : real)"),
        ],
        refused: for_tests(&["fun (v w : real) => v * w + v"]),
        function: |focus, _| {
            collect(focus).ok_or(Reason::native("no sum with two addends that differ in a number only"))
        },
    },
    NativeRule {
        name: "mulRecip",
        params: &[],
        group: "Sums and products",
        law: Text(&["e * (1 / e) --> 1", "e * b / e --> b"]),
        condition: "e up to bound names and the order and grouping of sums and products; e is not 0",
        doc: "Drops what is multiplied and divided by alike.",
        exactness: Exactness::Reassociating,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Prim(Prim::Mul), Head::Prim(Prim::Div)]),
            guard: is_real,
            ..BELOW
        },
        left_sides: &[
            "e * (1 / e)",
            "e * b / e",
            "(e + b) / (b + e)",
            "e * (b * (1 / e))",
            "b / (e * b)",
            "(e * b) / (b * c)",
        ],
        examples: &[
            ("fun (v w : real) => v * (w * (1 / v))", "fun (v w : real) => w"),
            ("fun (v w : real) => (v + w) / (w + v)", "fun (v w : real) => (1 : real)"),
        ],
        refused: for_tests(&["fun (v w : real) => v * (1 / w)"]),
        function: |focus, _| {
            mul_recip(focus.term).ok_or(Reason::native("no product that is divided by one of its factors"))
        },
    },
];

fn collect(focus: &Focus) -> Option<Term> {
    if !is_sum(focus.term) || !is_real(focus.term) {
        return None;
    }
    let mut sorted = OperandSorter::default();
    let mut like: Vec<(Term, Product, (bool, Term), bool)> = Vec::new();
    for (minus, addend) in addends(focus.term) {
        let mut product = Product::pulled(&addend);
        let number = if minus { -product.number } else { product.number };
        // Set aside before the key is made, so that addends that differ in a number alone have one key.
        product.number = 1.0;
        let key = sorted.term(&product.clone().term()?);
        match like.iter_mut().find(|(known, ..)| *known == key) {
            Some((_, first, _, again)) => {
                first.number += number;
                *again = true;
            }
            None => like.push((key, Product { number, ..product }, (minus, addend), false)),
        }
    }
    if !like.iter().any(|(.., again)| *again) {
        return None;
    }
    let mut rest = Vec::new();
    for (_, product, addend, again) in like {
        match again {
            // What has no like is put back as it was, because the rule is about nothing else.
            false => rest.push(addend),
            true if product.number == 0.0 => {}
            true => rest.push((product.number < 0.0, Product { number: product.number.abs(), ..product }.term()?)),
        }
    }
    if rest.is_empty() { Some(Term::real(0.0)) } else { total(rest) }
}

fn mul_recip(term: &Term) -> Option<Term> {
    if !matches!(term.kind(), Kind::Prim(Prim::Mul | Prim::Div)) || !is_real(term) {
        return None;
    }
    let mut sorted = OperandSorter::default();
    let mut product = Product::of(term);
    let before = product.factors.len();
    let mut above: Vec<Term> = product.factors.iter().map(|t| sorted.term(t)).collect();
    product.divisors.retain(|divisor| {
        let key = sorted.term(divisor);
        let found = above.iter().position(|factor| *factor == key);
        if let Some(k) = found {
            // Taken away, so that a factor cancels one divisor only.
            above.remove(k);
            product.factors.remove(k);
        }
        found.is_none()
    });
    if product.factors.len() == before { None } else { product.term() }
}
