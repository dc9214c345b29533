//! What is known to fail where: noted in the nodes themselves, by one bit for each strategy of a run.
//!
//! A strategy that looks at nothing but the term fails on a node wherever it stands. A node's note holds the number of
//! the run that wrote it, so that notes of other runs say nothing.

use std::cell::Cell;

use crate::term::Term;

use super::code::Id;

thread_local! {
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// The bits of one run.
pub(super) struct Failures {
    run: u64,
    /// By the strategy's number; `None` while nobody has asked, 0 for no bit.
    bits: Vec<Option<u64>>,
    used: u32,
}

impl Failures {
    pub(super) fn new() -> Failures {
        let run = RUNS.with(|runs| {
            runs.set(runs.get().wrapping_add(1).max(1));
            runs.get()
        });
        Failures { run: u64::from(run) << 32, bits: Vec::new(), used: 0 }
    }

    /// The bit of a strategy, 0 for none, if it was asked for before.
    #[inline]
    pub(super) fn known(&self, s: Id) -> Option<u64> {
        self.bits.get(s as usize).copied().flatten()
    }

    /// A bit for a strategy, if there is one left and it looks at the term only.
    pub(super) fn give(&mut self, s: Id, looks_at_term: bool) -> u64 {
        let bit = if looks_at_term && self.used < 32 { 1 << self.used } else { 0 };
        self.used += u32::from(bit != 0);
        self.bits.resize(self.bits.len().max(s as usize + 1), None);
        self.bits[s as usize] = Some(bit);
        bit
    }

    /// Whether a note says that the strategy with this bit fails.
    #[inline]
    pub(super) fn fails(&self, note: u64, bit: u64) -> bool {
        note & bit != 0 && note >> 32 == self.run >> 32
    }

    /// Notes that the strategy with this bit fails on the term.
    #[inline]
    pub(super) fn note(&self, term: &Term, bit: u64) {
        if bit == 0 {
            return;
        }
        let note = term.mark();
        let others = if note >> 32 == self.run >> 32 { note } else { self.run };
        term.set_mark(others | bit);
    }
}
