//! What is known to fail where, or to rewrite nothing: noted in the nodes themselves, by one bit for each strategy of a run.
//!
//! A strategy that looks at nothing but the term fails on a node wherever it stands; one that sees what the context says
//! about the term's variables fails wherever that is the same. Of such strategies a node's note is about one
//! [signature](crate::rule::Marks::signature), the last. A note holds the number of the run that wrote it, so that notes
//! of other runs say nothing; the notes take no more room than the nodes, and go with them.

use std::cell::Cell;

use crate::rule::ContextUse;
use crate::term::Node;

use super::code::Id;

thread_local! {
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// One strategy's bit in the notes of one run.
#[derive(Clone, Copy)]
pub(super) struct Bit(u64);

/// The part of a note that is the number of the run; no run has number 0.
const RUN: u64 = !0 << 32;

/// So many bits are for strategies that look at the term alone.
const ALONE: u32 = 20;

/// The other bits, of strategies that see what the context says about variables.
const PLACED: u64 = !RUN & !0 << ALONE;

impl Bit {
    /// Of what isn't noted.
    pub(super) const NONE: Bit = Bit(1);

    /// Whether a node's note says that the strategy fails, where the node has this signature.
    #[inline]
    pub(super) fn is_in(self, node: &Node, signature: impl FnOnce() -> u64) -> bool {
        (node.mark() ^ self.0) & (self.0 | RUN) == 0 && (self.0 & PLACED == 0 || node.signature() == signature())
    }

    /// Notes that the strategy fails on the node, where it has this signature.
    #[inline]
    pub(super) fn note(self, node: &Node, signature: impl FnOnce() -> u64) {
        if self.0 & RUN == 0 {
            return;
        }
        let mut note = node.mark();
        if (note ^ self.0) & RUN != 0 {
            note = 0;
        }
        if self.0 & PLACED != 0 {
            let signature = signature();
            if note & PLACED == 0 || node.signature() != signature {
                note &= !PLACED;
                node.set_signature(signature);
            }
        }
        node.set_mark(note | self.0);
    }
}

pub(super) struct Failures {
    run: u64,
    /// The bits by which nodes remember which strategies fail on them.
    pub(super) failing: Bits,
    /// Those among them of strategies that run on a certain child.
    pub(super) below: Bits,
    /// Those by which they remember which ones succeed and rewrite nothing.
    pub(super) idle: Bits,
    /// How many bits are given to strategies that look at the term alone, and to those that see more.
    alone: u32,
    placed: u32,
}

impl Failures {
    pub(super) fn new() -> Failures {
        let run = RUNS.with(|runs| {
            runs.set(runs.get().wrapping_add(1).max(1));
            runs.get()
        });
        Failures {
            run: u64::from(run) << 32,
            failing: Bits::default(),
            below: Bits::default(),
            idle: Bits::default(),
            alone: 0,
            placed: 0,
        }
    }

    /// A bit for a strategy that inspects this of the context, if there is one left and that isn't everything.
    pub(super) fn give(&mut self, context: ContextUse) -> Bit {
        let (used, from, to) = match context {
            ContextUse::Nothing => (&mut self.alone, 0, ALONE),
            ContextUse::Marks => (&mut self.placed, ALONE, 32),
            ContextUse::Everything => (&mut self.placed, 0, 0),
        };
        let next = from + *used;
        let bit = if next < to { Bit(self.run | 1 << next) } else { Bit::NONE };
        *used += u32::from(next < to);
        bit
    }
}

/// By a strategy's number; `None` while nobody has asked.
#[derive(Default)]
pub(super) struct Bits(Vec<Option<Bit>>);

impl Bits {
    /// The bit of a strategy, if it was asked for before.
    #[inline]
    pub(super) fn known(&self, s: Id) -> Option<Bit> {
        self.0.get(s as usize).copied().flatten()
    }

    /// This is the bit of the strategy.
    pub(super) fn keep(&mut self, s: Id, bit: Bit) -> Bit {
        self.0.resize(self.0.len().max(s as usize + 1), None);
        self.0[s as usize] = Some(bit);
        bit
    }
}
