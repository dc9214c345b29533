//! Lists the definitions of the library that go by type: no text says what they are, since their terms follow the type at which
//! they are used. In the library's file their right side is `_`; `lower` makes the terms.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::Name;
use crate::term::{Type, TypeView};

/// A definition by type. All take a function first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum ByType {
    /// How the only result changes with each real.
    Gradient,
    /// How all results change in a direction.
    Directional,
    /// How all results change with each real.
    Jacobian,
    /// How a weighted sum of all results changes with each real.
    Weighted,
}

const ALL: [(&str, &str, ByType); 4] = [
    ("grad", "(p -> real) -> p -> p", ByType::Gradient),
    ("directional", "(p -> q) -> p -> p -> q", ByType::Directional),
    ("jacobian", "(p -> q) -> p -> r", ByType::Jacobian),
    ("vjp", "(p -> q) -> p -> q -> p", ByType::Weighted),
];

impl ByType {
    /// The definition with this name and this type.
    pub(in super::super) fn named(name: &Name, ty: &Type) -> Option<ByType> {
        let (_, of, which) = ALL.iter().find(|(word, ..)| *word == name.as_str())?;
        (ty.to_string() == *of).then_some(*which)
    }
}

/// The most reals that a type by which something goes may name: an array's elements count as one.
pub(in super::super) const MAX_REALS: u64 = 1_000;

/// How many reals a type names; saturates. Types share their parts: each is counted once.
pub(in super::super) fn named_reals(ty: &Type, known: &mut FxHashMap<u128, u64>) -> u64 {
    if let Some(count) = known.get(&ty.fingerprint()) {
        return *count;
    }
    let count = match ty.view() {
        TypeView::Array(_, a) => named_reals(a, known),
        TypeView::Pair(a, b) => named_reals(a, known).saturating_add(named_reals(b, known)),
        _ => 1,
    };
    known.insert(ty.fingerprint(), count);
    count
}

/// A part of the type that is neither a real nor made of reals. A type variable may stand for such.
pub(in super::super) fn without_slope(ty: &Type) -> Option<Type> {
    fn walk(ty: &Type, seen: &mut FxHashSet<u128>) -> Option<Type> {
        match ty.view() {
            TypeView::Real | TypeView::Var(_) => None,
            // Types share their parts: each is looked at once.
            TypeView::Array(..) | TypeView::Pair(..) if !seen.insert(ty.fingerprint()) => None,
            TypeView::Array(_, a) => walk(a, seen),
            TypeView::Pair(a, b) => walk(a, seen).or_else(|| walk(b, seen)),
            _ => Some(ty.clone()),
        }
    }
    walk(ty, &mut FxHashSet::default())
}
