//! Hashes the order in which the free variables of a term are bound, for rules that sort operands. It knows terms and no rules.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use redexter_language::term::Term;

/// A key for the order in which the free variables of a term are bound: where it is the same for two terms with one node, their
/// variables compare alike.
pub fn order(term: &Term) -> u64 {
    of(term.places())
}

/// The key of child `k`, for the same binders.
pub fn order_below(term: &Term, k: usize) -> u64 {
    let (places, binders) = (term.places(), term.binders(k));
    // The binders of the child come first; behind them its variables are known by their places among the term's own.
    let index = |own: &u32| own.checked_sub(binders).map_or(*own, |p| places[p as usize] + binders);
    let indices: SmallVec<[u32; 16]> = term.as_part().part(k).places().iter().map(index).collect();
    of(&indices)
}

fn of(indices: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for index in indices {
        // The rank instead of the index, so that binders which come in between change nothing.
        hasher.write_usize(indices.iter().filter(|other| *other < index).count());
    }
    hasher.finish()
}
