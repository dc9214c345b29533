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

/// One strategy's bit in the notes of one run.
#[derive(Clone, Copy)]
pub(super) struct Bit(u64);

/// The part of a note that is the number of the run; no run has number 0.
const RUN: u64 = !0 << 32;

impl Bit {
    /// Of what isn't noted.
    const NONE: Bit = Bit(1);

    /// Whether this note says that the strategy fails.
    #[inline]
    pub(super) fn is_in(self, note: u64) -> bool {
        (note ^ self.0) & (self.0 | RUN) == 0
    }

    /// Notes that the strategy fails on the term.
    #[inline]
    pub(super) fn note(self, term: &Term) {
        if self.0 & RUN == 0 {
            return;
        }
        let note = term.mark();
        let same_run = (note ^ self.0) & RUN == 0;
        term.set_mark(if same_run { note | self.0 } else { self.0 });
    }
}

pub(super) struct Failures {
    run: u64,
    /// By the strategy's number; `None` while nobody has asked.
    bits: Vec<Option<Bit>>,
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

    /// The bit of a strategy, if it was asked for before.
    #[inline]
    pub(super) fn known(&self, s: Id) -> Option<Bit> {
        self.bits.get(s as usize).copied().flatten()
    }

    /// A bit for a strategy, if there is one left and it looks at the term only.
    pub(super) fn give(&mut self, s: Id, looks_at_term: bool) -> Bit {
        let given = looks_at_term && self.used < 32;
        let bit = if given { Bit(self.run | 1 << self.used) } else { Bit::NONE };
        self.used += u32::from(given);
        self.bits.resize(self.bits.len().max(s as usize + 1), None);
        self.bits[s as usize] = Some(bit);
        bit
    }
}
