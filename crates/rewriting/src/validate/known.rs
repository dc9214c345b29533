//! Remembers pairs of terms that were found to agree, because one rewrite is often taken at many places.

use rustc_hash::FxHashMap;

use crate::rule::Exactness;
use redexter_language::term::Program;

/// Such pairs, each with the number of runs in which it agreed.
#[derive(Default)]
pub(super) struct AgreedPairs(FxHashMap<(Exactness, u128, u128), usize>);

impl AgreedPairs {
    pub(super) fn get(&self, exactness: Exactness, pair: &[Program; 2]) -> Option<usize> {
        self.0.get(&key(exactness, pair)).copied()
    }

    pub(super) fn insert(&mut self, exactness: Exactness, pair: &[Program; 2], runs: usize) {
        self.0.insert(key(exactness, pair), runs);
    }
}

fn key(exactness: Exactness, [before, after]: &[Program; 2]) -> (Exactness, u128, u128) {
    (exactness, before.term.fingerprint(), after.term.fingerprint())
}
