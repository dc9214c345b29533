//! Hands out buffers for what lanes compute meanwhile: taken, given back, taken again while the processor still has them near.

use rustc_hash::FxHashSet;

use super::super::op::AddressId;

/// Buffers of a number for each lane.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) free: Vec<AddressId>,
    /// In use, the last ones by what is being written.
    pub(super) taken: Vec<AddressId>,
    /// Those of them that stay in use.
    pub(super) kept: FxHashSet<AddressId>,
}

impl Pool {
    /// Gives back what was taken since there were so many, but for what is kept.
    pub(super) fn back(&mut self, count: usize) {
        let later = self.taken.split_off(count.min(self.taken.len()));
        for at in later {
            if self.kept.contains(&at) { self.taken.push(at) } else { self.free.push(at) }
        }
    }

    /// The same with what is kept.
    pub(super) fn all_back(&mut self, count: usize) {
        self.kept.clear();
        self.back(count);
    }
}
