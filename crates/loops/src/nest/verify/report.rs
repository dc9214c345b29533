//! Writes what was shown of a nest's accesses as text.

use rustc_hash::FxHashMap;

use super::poly::AtomPoly;
use super::{CheckedAccess, NestFault};
use crate::nest::ir::{Nest, NestPlace, place_text};
use redexter_language::ground::Name;

/// A polynomial of sizes by their names, `n * m - 1`.
pub(super) fn text(poly: &AtomPoly, names: &[Name], sizes: &FxHashMap<Name, AtomPoly>) -> String {
    // An atom is what its size has beyond the least it can be.
    let mut whole = poly.clone();
    for (atom, name) in (0..).zip(names) {
        let beyond = AtomPoly::atom(atom);
        let least = sizes.get(name).and_then(|size| size.minus(&beyond)).unwrap_or_default();
        whole = beyond.minus(&least).and_then(|by| whole.replaced(atom, &by)).unwrap_or(whole);
    }
    let mut text = String::new();
    let mut terms: Vec<_> = whole.terms().collect();
    terms.reverse();
    for (monomial, coefficient) in terms {
        let factors = monomial.iter().map(|atom| names.get(*atom as usize).map_or("?", |name| name.as_str()));
        let number = (coefficient.abs() != 1 || monomial.is_empty()).then(|| coefficient.abs().to_string());
        let product = number.into_iter().chain(factors.map(str::to_owned)).collect::<Vec<_>>().join(" * ");
        text += match (text.is_empty(), coefficient < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text += &product;
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// A line for each access: what is read or written, from where to where each of its indices goes, and how long that dimension is.
pub(super) fn report(nest: &Nest, accesses: &[CheckedAccess]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for access in accesses {
        let word = if access.is_write { "write" } else { "read" };
        let bounds: Vec<String> =
            access.bounds.iter().map(|b| format!("{} to {} of {}", b.lowest, b.highest, b.size)).collect();
        let line = format!("{word} {}: {}\n", place_text(nest, &access.place), bounds.join(", "));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}

impl NestFault {
    /// What couldn't be shown, of a nest.
    pub(super) fn text(&self, nest: &Nest) -> String {
        let place = |place: &NestPlace| place_text(nest, place);
        match self {
            NestFault::Outside { place: at, at: k, is_below: true } => {
                format!("index {} of `{}` may be negative", k + 1, place(at))
            }
            NestFault::Outside { place: at, at: k, is_below: false } => {
                format!("index {} of `{}` may be too large", k + 1, place(at))
            }
            NestFault::Dimensions(at) => {
                format!("`{}` has too many indices or too few, or dimensions that are too large", place(at))
            }
            NestFault::Given(at) => format!("`{}` is given, or stays as it is, and is stored", place(at)),
            NestFault::Overwritten(at) => format!("lanes beyond their end may write what is read in `{}`", place(at)),
            NestFault::Unwritten(at) => format!("`{}` may be read before it is written", place(at)),
            NestFault::Dependent(at) => format!("lanes of one loop may write what others read in `{}`", place(at)),
        }
    }
}
