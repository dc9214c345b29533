//! Renders work as people write it: `n² + 3n`.

use std::cmp::Ordering;

use crate::styled::{Look, Styled};
use redexter_language::cost::{Poly, SumFactor, TYPICAL_SIZE, Work, WorkFactor};
use redexter_language::ground::polynomial::degree;
use redexter_language::ground::text::raised;

/// What stands for a formula that can't be told.
fn untold(poly: &Poly) -> Option<String> {
    match (poly.is_unknown(), poly.is_vast()) {
        (true, _) => Some(Poly::unknown().to_string()),
        (_, true) => Some("too much to say".to_owned()),
        _ => None,
    }
}

/// A polynomial with powers above the line.
pub fn polynomial(poly: &Poly) -> String {
    if let Some(untold) = untold(poly) {
        return untold;
    }
    let terms = poly.terms();
    let text = |(product, coefficient): &(&[_], u128)| monomial(product, *coefficient);
    if terms.is_empty() { "0".to_owned() } else { terms.iter().map(text).collect::<Vec<_>>().join(" + ") }
}

/// The terms of the highest degree, at most so many, and `…` for the others.
pub fn leading(poly: &Poly) -> String {
    first(poly, monomial)
}

/// Work, or its leading terms where it is longer than so many characters.
pub(crate) fn brief(poly: &Poly, most: usize) -> String {
    let whole = polynomial(poly);
    if whole.chars().count() <= most { whole } else { leading(poly) }
}

fn first(poly: &Poly, monomial: impl Fn(&[(WorkFactor, u32)], u128) -> String) -> String {
    const MAX_TERMS: usize = 3;
    if let Some(untold) = untold(poly) {
        return untold;
    }
    let terms = poly.terms();
    let highest = terms.iter().map(|(product, _)| degree(product)).max().unwrap_or(0);
    let first = terms.iter().filter(|(product, _)| degree(product) == highest).take(MAX_TERMS);
    let mut shown: Vec<String> = first.map(|(product, coefficient)| monomial(product, *coefficient)).collect();
    if shown.len() < terms.len() {
        shown.push("…".to_owned());
    }
    if shown.is_empty() { "0".to_owned() } else { shown.join(" + ") }
}

/// A product: `3n²·(n + 2m)`; of a factor that is a long sum its leading terms, and in these the number of its products.
fn monomial(product: &[(WorkFactor, u32)], coefficient: u128) -> String {
    multiplied(product, coefficient, |sum| match sum.is_readable() {
        true => format!("({})", polynomial(sum.poly())),
        false => format!("({})", first(sum.poly(), |product, c| multiplied(product, c, SumFactor::to_string))),
    })
}

fn multiplied(product: &[(WorkFactor, u32)], coefficient: u128, whole: impl Fn(&SumFactor) -> String) -> String {
    let base = |factor: &WorkFactor| match factor {
        WorkFactor::Size(name) => name.to_string(),
        WorkFactor::Sum(sum) => whole(sum),
        WorkFactor::Unknown => factor.to_string(),
    };
    let factors: Vec<String> =
        product.iter().map(|(factor, power)| format!("{}{}", base(factor), superscript(*power))).collect();
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
pub(crate) fn change(before: &Poly, after: &Poly) -> Option<Styled> {
    if before == after {
        return None;
    }
    let text = format!("{} → {}", polynomial(before), polynomial(after));
    Some(Styled::of(trend(before, after), &text))
}

/// The look of a change of work, by its value where every size is [`TYPICAL_SIZE`].
pub(crate) fn trend(before: &Poly, after: &Poly) -> Look {
    match after.at(|_| TYPICAL_SIZE).cmp(&before.at(|_| TYPICAL_SIZE)) {
        Ordering::Less => Look::Contractum,
        Ordering::Equal => Look::Aside,
        Ordering::Greater => Look::Warning,
    }
}

/// The cost of a term: a line for each kind of work, why that isn't known, and the memory that it takes.
pub fn work(work: &Work, memory: &Poly, unknown: Option<&str>) -> Styled {
    let Work { flops, compares, reads, writes, iterations } = work;
    let kinds =
        [("flops", flops), ("compares", compares), ("reads", reads), ("writes", writes), ("iterations", iterations)];
    let text: String = kinds.iter().map(|(name, poly)| format!("{name:10}  {}\n", polynomial(poly))).collect();
    Styled::from(text)
        .and(Look::Strong, "total     ")
        .and(Look::Plain, &format!("  {}  ", polynomial(&work.total())))
        .and(Look::Aside, "(flops, compares, reads and writes; of an `if` the larger branch)")
        .and(Look::Warning, &unknown.map_or_else(String::new, |why| format!("\n{why}")))
        .then(format!("\nmemory      {}  ", polynomial(memory)))
        .and(Look::Aside, "(numbers in arrays besides the result)")
        .then("\n")
}
