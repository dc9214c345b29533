//! Finds the call for which the work of a term isn't known.

use rustc_hash::FxHashSet;

use super::reason::UnknownReason;
use super::walk::WorkMeter;
use crate::term::{Path, Term};

/// The first call in a term for which its work isn't known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWork {
    /// Where: an application, or a loop that calls what it is given.
    pub path: Path,
    /// Why.
    pub reason: UnknownReason,
}

/// Finds the call for which the work of a term isn't known; None where it is known.
pub fn why_unknown(term: &Term) -> Option<UnknownWork> {
    let (call, reason) = WorkMeter::default().unknown_call(term)?;
    let path = find(term, call.fingerprint(), &mut FxHashSet::default())?;
    Some(UnknownWork { path, reason })
}

/// The way to the first subterm with a fingerprint; `seen` are those of subterms without it.
fn find(term: &Term, wanted: u128, seen: &mut FxHashSet<u128>) -> Option<Path> {
    if term.fingerprint() == wanted {
        return Some(Path::default());
    }
    if term.kid_count() == 0 || !seen.insert(term.fingerprint()) {
        return None;
    }
    (0..term.kid_count()).find_map(|k| {
        let mut path = find(&term.kid(k), wanted, seen)?;
        path.0.insert(0, k as u32);
        Some(path)
    })
}
