//! Refuses results that would have more numbers than there may be, before any work is done.

use rustc_hash::FxHashMap;

use super::sizes::Sizes;
use super::value::MAX_ELEMENTS;
use crate::ground::{Diagnostic, code};
use crate::term::{Type, TypeView};

/// How many numbers and empty rows a value of a type has; saturates.
pub fn numbers(ty: &Type, sizes: &Sizes) -> u64 {
    let all = |n: u64, each: u64| n.saturating_mul(each.max(1));
    ElementCount { sizes, array: &all, pair: &u64::saturating_add, known: FxHashMap::default() }.of(ty)
}

/// How many of these must be held at least, where rows and halves may be one and the same.
fn held(ty: &Type, sizes: &Sizes) -> u64 {
    let longest = |n: u64, each: u64| if n == 0 { 0 } else { n.max(each) };
    ElementCount { sizes, array: &longest, pair: &u64::max, known: FxHashMap::default() }.of(ty)
}

/// A count along a type, each part of it once.
struct ElementCount<'a> {
    sizes: &'a Sizes,
    array: &'a dyn Fn(u64, u64) -> u64,
    pair: &'a dyn Fn(u64, u64) -> u64,
    known: FxHashMap<u128, u64>,
}

impl ElementCount<'_> {
    fn of(&mut self, ty: &Type) -> u64 {
        if let Some(known) = self.known.get(&ty.fingerprint()) {
            return *known;
        }
        let count = match ty.view() {
            TypeView::Array(n, a) => (self.array)(self.sizes.value(n), self.of(a)),
            TypeView::Pair(a, b) => (self.pair)(self.of(a), self.of(b)),
            _ => 1,
        };
        self.known.insert(ty.fingerprint(), count);
        count
    }
}

/// Refuses a result of this type that would have more numbers than [`MAX_ELEMENTS`].
pub fn check_result(ty: &Type, sizes: &Sizes) -> Result<(), Diagnostic> {
    check_room(numbers(ty, sizes), 0, MAX_ELEMENTS)
}

/// Refuses a result of which an evaluation can't but hold more than [`MAX_ELEMENTS`], however much of it is shared.
pub fn check_held(ty: &Type, sizes: &Sizes) -> Result<(), Diagnostic> {
    check_room(held(ty, sizes), 0, MAX_ELEMENTS)
}

/// Refuses a result and what is needed meanwhile if they have more numbers than `most` together.
pub fn check_room(result: u64, meanwhile: u64, most: u64) -> Result<(), Diagnostic> {
    match result.saturating_add(meanwhile) > most {
        true => Err(too_large(result, meanwhile, most)),
        false => Ok(()),
    }
}

/// The finding that a result and what is needed meanwhile are too large; also for where there is no memory for them.
pub fn too_large(result: u64, meanwhile: u64, most: u64) -> Diagnostic {
    // A count that has saturated says no more than that there are as many.
    let least = |n: u64| if n == u64::MAX { "at least " } else { "" };
    let told = |n: u64, what: &str| format!("{}{n}{what} ({} MB)", least(n), u128::from(n) * 8 / 1_000_000);
    let meanwhile = match meanwhile {
        0 => String::new(),
        n => format!(", and what is needed meanwhile {}", told(n, "")),
    };
    let headline = format!("the result has {}{meanwhile}; there may be {}", told(result, " numbers"), told(most, ""));
    Diagnostic::error(code::INPUT_SIZES, headline).help("give smaller sizes")
}
