//! Collects like terms of sums, cancels inverse factors of products, and merges choices with one condition, up to order and
//! grouping.

use super::ring::{OperandSorter, Product, SUM_HEADS, addends, is_real, is_zero, total};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Text;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Prim, Size, Term, View};

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
        refused: &["fun (v w : real) => v * w + v"],
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
        refused: &["fun (v w : real) => v * (1 / w)"],
        function: |focus, _| {
            mul_recip(focus.term).ok_or(Reason::native("no product that is divided by one of its factors"))
        },
    },
    NativeRule {
        name: "ifMerge",
        params: &[],
        group: "Sums and products",
        law: Text(&["(if c then a else 0) + (if c then b else 0) --> if c then a + b else 0"]),
        condition: "anywhere in a sum, the condition up to the order of what commutes",
        doc: "Asks once for the addends that depend on one condition. Undoes ifSplitSum.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { heads: SUM_HEADS, ..BELOW },
        left_sides: &[
            "(if c then a else 0) + (if c then b else 0)",
            "(if c then a else 0) + d + (if c then b else 0)",
            "(if c then a else 0) - (if c then b else 0)",
            "(if (c : int) = d then a else 0) + (if d = c then b else 0)",
            "(if k : fin n := c then a(k) else 0) - (if k : fin n := c then b(k) else 0)",
        ],
        examples: &[(
            "fun (v w : real) (c : int) => (if c then v else 0) + v - (if c then w else 0)",
            "fun (v w : real) (c : int) => (if c then v - w else 0) + v",
        )],
        refused: &["fun (v w : real) (c d : int) => (if c then v else 0) + (if d then w else 0)"],
        function: |focus, _| if_merge(focus.term).ok_or(Reason::native("no sum with two choices by one condition")),
    },
];

fn is_sum(term: &Term) -> bool {
    matches!(term.kind(), Kind::Prim(Prim::Add | Prim::Sub))
}

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

fn if_merge(term: &Term) -> Option<Term> {
    if !is_sum(term) {
        return None;
    }
    let mut sorted = OperandSorter::default();
    let mut all = addends(term);
    let mut known: Vec<((Term, Option<Size>), usize)> = Vec::new();
    for (k, (_, addend)) in all.iter().enumerate() {
        let (c, size) = match addend.view() {
            View::If(c, _, other) if is_zero(&other) => (c, None),
            View::Guard(_, n, number, _, other) if is_zero(&other) => (number, Some(n)),
            _ => continue,
        };
        let key = (sorted.term(&c), size);
        match known.iter().find(|(c, _)| *c == key) {
            Some((_, first)) => {
                let first = *first;
                let (minus, second) = all.remove(k);
                all[first] = (false, merged(&all[first], &(minus, second))?);
                return total(all);
            }
            None => known.push((key, k)),
        }
    }
    None
}

fn merged(first: &(bool, Term), second: &(bool, Term)) -> Option<Term> {
    let both = |a, b| total(vec![(first.0, a), (second.0, b)]);
    match (first.1.view(), second.1.view()) {
        (View::If(c, a, zero), View::If(_, b, _)) => Term::if_else(c, both(a, b)?, zero).ok(),
        (View::Guard(k, n, number, a, zero), View::Guard(_, _, _, b, _)) => {
            Term::guard(&k, n, number, both(a, b)?, zero).ok()
        }
        _ => None,
    }
}
