//! Chooses the sizes at which two programs are run: a number for every open size.

use std::collections::BTreeSet;

use redexter_language::eval::{self, Sizes};
use redexter_language::ground::Name;
use redexter_language::term::Program;

/// The open sizes of programs.
pub(crate) fn open_sizes(programs: [&Program; 2]) -> BTreeSet<Name> {
    programs.iter().flat_map(|program| eval::open_sizes(&program.term)).collect()
}

/// Every open size as its number among them says; never below its bound.
pub(crate) fn sizes_at(names: &BTreeSet<Name>, programs: [&Program; 2], size: impl Fn(usize) -> u64) -> Sizes {
    let least = |name: &Name| programs[0].bounds.lower(name).max(programs[1].bounds.lower(name));
    names.iter().enumerate().map(|(k, name)| (name.clone(), least(name).max(size(k)))).collect()
}

/// Sizes of a round: all as large, each larger by one than the one before, or others of the list.
pub(super) fn uneven(names: &BTreeSet<Name>, programs: [&Program; 2], all: &[u64], round: usize) -> Sizes {
    sizes_at(names, programs, |k| match round % 3 {
        0 => all[round] + k as u64,
        1 => all[round],
        _ => all[(round + 2 * k) % all.len()],
    })
}
