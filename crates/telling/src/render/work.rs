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

/// So many characters a change of work may take that is told by both formulas.
const MAX_CHANGE_CHARS: usize = 100;

/// `n² + 3n → 4n`: like a contractum where the work falls, a warning where it grows; None where it stays.
pub(crate) fn change(before: &Poly, after: &Poly) -> Option<Styled> {
    if before == after {
        return None;
    }
    Some(Styled::of(trend(before, after), &changed(before, after)))
}

/// `n² + 3n → 4n`. Of two long formulas that have most in common what the second has less and more: `18d²·k·n + …, less by 6k·n`.
pub(crate) fn changed(before: &Poly, after: &Poly) -> String {
    let whole = format!("{} → {}", polynomial(before), polynomial(after));
    if whole.chars().count() <= MAX_CHANGE_CHARS || untold(before).is_some() || untold(after).is_some() {
        return whole;
    }
    let (less, more) = before.cancel(after);
    let told = [("less by", less), ("more by", more)].into_iter().filter(|(_, part)| !part.is_zero());
    let short = told.fold(leading(after), |text, (word, part)| format!("{text}, {word} {}", polynomial(&part)));
    if short.chars().count() * 2 <= whole.chars().count() { short } else { whole }
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

#[cfg(test)]
mod tests {
    use super::{changed, polynomial};
    use redexter_language::cost::Poly;
    use redexter_language::ground::Name;
    use redexter_language::term::Size;

    #[test]
    fn long_formulas_are_told_by_what_differs() {
        let size = |name: &str| Poly::size(&Size::var(&Name::new(name)));
        let [m, n] = ["m", "n"].map(size);
        let long = (0..12).fold(Poly::constant(7), |sum, _| sum.times(&n).plus(&m).plus(&Poly::constant(9)));
        let (less, more) = (long.plus(&n.times(&m)), long.plus(&m));
        let said = changed(&less, &more);
        assert_eq!(said, "m·n¹¹ + 7n¹² + …, less by m·n, more by m");
        assert_eq!(changed(&n, &m), "n → m");
        // What has hardly anything in common is told whole.
        let other = long.times(&Poly::constant(3));
        assert_eq!(changed(&long, &other), format!("{} → {}", polynomial(&long), polynomial(&other)));
    }
}
