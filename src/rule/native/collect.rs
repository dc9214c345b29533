//! Like terms of sums, inverse factors of products, choices with one condition: up to order and grouping.

use super::ring::{Product, Sorted, addends, is_zero, total};
use super::{Exactness, Row};
use crate::rule::{Focus, Reason};
use crate::term::{Kind, Prim, Term, TypeView, View};

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "collect",
        group: "Sums and products",
        law: "c * p + d * p --> (c + d) * p",
        condition: "c and d are numbers; p up to bound names and the order and grouping of sums and products, numbers \
                    pulled out of inner sums and choices",
        doc: "Adds like terms up, such as the two halves of the derivative of a square.",
        exactness: Exactness::Reassociating,
        function: |focus| collect(focus).ok_or(Reason::native("no sum with two addends that differ in a number only")),
    },
    Row {
        name: "mulRecip",
        group: "Sums and products",
        law: "e * (1 / e) --> 1; e * b / e --> b",
        condition: "e up to bound names and the order and grouping of sums and products; e is not 0",
        doc: "Drops what is multiplied and divided by alike; cancels the maximum in log-sum-exp.",
        exactness: Exactness::Reassociating,
        function: |focus| {
            mul_recip(focus.term).ok_or(Reason::native("no product that is divided by one of its factors"))
        },
    },
    Row {
        name: "ifMerge",
        group: "Sums and products",
        law: "(if c then a else 0) + (if c then b else 0) --> if c then a + b else 0",
        condition: "anywhere in a sum, the condition up to the order of what commutes",
        doc: "Asks once for the addends that depend on one condition. Undoes ifSplitSum.",
        exactness: Exactness::Reassociating,
        function: |focus| if_merge(focus.term).ok_or(Reason::native("no sum with two choices by one condition")),
    },
];

fn is_sum(term: &Term) -> bool {
    matches!(term.kind(), Kind::Prim(Prim::Add | Prim::Sub))
}

fn collect(focus: &Focus) -> Option<Term> {
    if !is_sum(focus.term) || *focus.term.ty().view() != TypeView::Real {
        return None;
    }
    let mut sorted = Sorted::default();
    let mut like: Vec<(Term, Product, (bool, Term), bool)> = Vec::new();
    for (minus, addend) in addends(focus.term) {
        let mut product = Product::pulled(&addend);
        let number = if minus { -product.number } else { product.number };
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
            false => rest.push(addend),
            true if product.number == 0.0 => {}
            true => rest.push((product.number < 0.0, Product { number: product.number.abs(), ..product }.term()?)),
        }
    }
    if rest.is_empty() { Some(Term::real(0.0)) } else { total(rest) }
}

fn mul_recip(term: &Term) -> Option<Term> {
    if !matches!(term.kind(), Kind::Prim(Prim::Mul | Prim::Div)) || *term.ty().view() != TypeView::Real {
        return None;
    }
    let mut sorted = Sorted::default();
    let mut product = Product::of(term);
    let before = product.factors.len();
    let mut above: Vec<Term> = product.factors.iter().map(|t| sorted.term(t)).collect();
    product.divisors.retain(|divisor| {
        let key = sorted.term(divisor);
        let found = above.iter().position(|factor| *factor == key);
        if let Some(k) = found {
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
    let mut sorted = Sorted::default();
    let mut all = addends(term);
    let mut known: Vec<(Term, usize)> = Vec::new();
    for (k, (_, addend)) in all.iter().enumerate() {
        let View::If(c, _, other) = addend.view() else { continue };
        if !is_zero(&other) {
            continue;
        }
        let key = sorted.term(&c);
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
    let (View::If(c, a, zero), View::If(_, b, _)) = (first.1.view(), second.1.view()) else { return None };
    Term::if_else(c, total(vec![(first.0, a), (second.0, b)])?, zero).ok()
}
