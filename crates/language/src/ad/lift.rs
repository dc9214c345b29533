//! Lifts constants: data that D isn't taken with respect to gets tangents of zero.

use rustc_hash::FxHashMap;

use super::{AdError, DualTypes};
use crate::ground::Name;
use crate::term::{Term, Type, TypeView};

/// The most parts that one lifted constant may have, counted as a tree.
const MAX_PARTS: u64 = 1_000_000;

/// `path`, a variable or a part of one, with a zero tangent for each real in it: `x` to `(x, 0)`, an array to
/// `build n (fun i => lift v[i])`, a pair to `(lift (fst p), lift (snd p))`. What holds no reals stays as it is.
pub(super) fn lift(path: &Term, types: &mut DualTypes) -> Result<Term, AdError> {
    if types.of(path.ty())? == *path.ty() {
        return Ok(path.clone());
    }
    if parts(path.ty(), &mut FxHashMap::default()) > MAX_PARTS {
        return Err(AdError::TooManyParts(path.ty().clone()));
    }
    parts_of(path.clone(), types)
}

fn parts_of(path: Term, types: &mut DualTypes) -> Result<Term, AdError> {
    let ty = path.ty().clone();
    if types.of(&ty)? == ty {
        return Ok(path);
    }
    match ty.view() {
        TypeView::Array(n, _) => {
            let below = Type::fin(n.clone());
            let element = parts_of(Term::get(path.shift(1), Term::var(0, &below))?, types)?;
            Ok(Term::build(n.clone(), Term::lam(&Name::new("i"), &below, element)?)?)
        }
        TypeView::Pair(..) => {
            let first = parts_of(Term::fst(path.clone())?, types)?;
            Ok(Term::pair(first, parts_of(Term::snd(path)?, types)?)?)
        }
        _ => Ok(Term::pair(path, Term::real(0.0))?),
    }
}

/// The number of nodes of a type as a tree; saturates.
fn parts(ty: &Type, known: &mut FxHashMap<u128, u64>) -> u64 {
    if let Some(count) = known.get(&ty.fingerprint()) {
        return *count;
    }
    let count = match ty.view() {
        TypeView::Array(_, a) => parts(a, known).saturating_add(1),
        TypeView::Pair(a, b) => parts(a, known).saturating_add(parts(b, known)).saturating_add(1),
        _ => 1,
    };
    known.insert(ty.fingerprint(), count);
    count
}
