//! Work as people write it: `n² + 3n`.

use std::cmp::Ordering;

use super::styled::{Look, Styled};
use crate::cost::{Poly, TYPICAL, Work};
use crate::ground::text::raised;

/// A polynomial with powers above the line.
pub fn polynomial(poly: &Poly) -> String {
    let terms = poly.terms();
    if terms.iter().any(|(_, coefficient)| *coefficient == u128::MAX) {
        return poly.to_string();
    }
    let text = |(product, coefficient): &(&[_], u128)| monomial(product, *coefficient);
    if terms.is_empty() { "0".to_owned() } else { terms.iter().map(text).collect::<Vec<_>>().join(" + ") }
}

/// The terms of the highest degree, at most so many, and `…` for the others.
pub fn leading(poly: &Poly) -> String {
    const MOST: usize = 3;
    let terms = poly.terms();
    if terms.iter().any(|(_, coefficient)| *coefficient == u128::MAX) {
        return polynomial(poly);
    }
    let degree = |(product, _): &(&[(_, u32)], u128)| product.iter().map(|(_, power)| *power).sum::<u32>();
    let highest = terms.iter().map(degree).max().unwrap_or(0);
    let first = terms.iter().filter(|term| degree(term) == highest).take(MOST);
    let mut shown: Vec<String> = first.map(|(product, coefficient)| monomial(product, *coefficient)).collect();
    if shown.len() < terms.len() {
        shown.push("…".to_owned());
    }
    if shown.is_empty() { "0".to_owned() } else { shown.join(" + ") }
}

pub(super) fn monomial<N: std::fmt::Display>(product: &[(N, u32)], coefficient: u128) -> String {
    let factors: Vec<String> = product.iter().map(|(name, power)| format!("{name}{}", superscript(*power))).collect();
    match coefficient {
        1 if !factors.is_empty() => factors.join("·"),
        _ => format!("{coefficient}{}", factors.join("·")),
    }
}

/// A power; nothing for the first.
fn superscript(power: u32) -> String {
    if power == 1 { String::new() } else { raised(power.into()) }
}

/// `n² + 3n → 4n`: like a contractum where the work falls, a warning where it grows; None where it stays.
pub(super) fn change(before: &Poly, after: &Poly) -> Option<Styled> {
    if before == after {
        return None;
    }
    let text = format!("{} → {}", polynomial(before), polynomial(after));
    Some(Styled::of(trend(before, after), &text))
}

/// The look of work that became another's.
pub(super) fn trend(before: &Poly, after: &Poly) -> Look {
    match after.at(|_| TYPICAL).cmp(&before.at(|_| TYPICAL)) {
        Ordering::Less => Look::Contractum,
        Ordering::Equal => Look::Aside,
        Ordering::Greater => Look::Warning,
    }
}

/// What a term costs, a line for each kind of work.
pub fn work(work: &Work) -> Styled {
    let Work { flops, compares, reads, writes, iterations } = work;
    let kinds =
        [("flops", flops), ("compares", compares), ("reads", reads), ("writes", writes), ("iterations", iterations)];
    let text: String = kinds.iter().map(|(name, poly)| format!("{name:10}  {}\n", polynomial(poly))).collect();
    Styled::from(text)
        .and(Look::Strong, "total     ")
        .and(Look::Plain, &format!("  {}  ", polynomial(&work.total())))
        .and(Look::Aside, "(flops, compares, reads and writes; of an `if` the larger branch)")
        .then("\n")
}
