//! Remembers which strategies fail on which nodes, or rewrite nothing in them: noted in the nodes themselves, by one bit for each
//! strategy of a run.
//!
//! A strategy that looks at nothing but the term fails on a node wherever it stands; one that sees what the context says
//! about the term's variables, or in which [order](crate::rule::order) they are bound, fails wherever that is the same. Of
//! such strategies a node's note is about one [signature](crate::rule::Marks::signature), the last. A note holds the number of
//! the run that wrote it, so that notes of other runs say nothing; the notes take no more room than the nodes, and go with them.

use std::cell::Cell;
use std::rc::Rc;

use crate::rule::ContextUse;
use redexter_language::term::Node;

use super::code::OpId;
use super::equal_nodes::EqualNodeTable;
use super::failure_bit::{ALL, FIRST, FIRST_MARKS_BIT, FIRST_ORDERED_BIT, FailureBit};
use super::footprint::OpFootprint;

thread_local! {
    // A count for each thread will do, because nodes never leave theirs: an `Rc` holds them.
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// A fact that nodes remember of a strategy.
#[derive(Clone, Copy)]
pub(super) enum FailureMemory {
    /// That it fails.
    Failure,
    /// The same of one that runs on a certain child.
    Below,
    /// That it succeeds and rewrites nothing.
    Idle,
}

pub(super) struct Failures {
    run: u32,
    /// The bits by which nodes remember each [`FailureMemory`].
    bits: [OpBits; 3],
    alike: EqualNodeTable,
    /// The next bits of the three kinds.
    next: [u32; 3],
}

impl Failures {
    /// For terms of about so many nodes.
    pub(super) fn new(nodes: u64) -> Failures {
        let run = RUNS.with(|runs| {
            // Never 0, since that is what a node has in which nothing was noted.
            runs.set(runs.get().wrapping_add(1).max(1));
            runs.get()
        });
        Failures {
            run,
            bits: Default::default(),
            alike: EqualNodeTable::new(nodes),
            next: [FIRST, FIRST_MARKS_BIT, FIRST_ORDERED_BIT],
        }
    }

    /// Forgets all that was noted, so that every bit can be given again.
    pub(super) fn begin_anew(&mut self) {
        *self = Failures { alike: self.alike.emptied(), ..Failures::new(0) };
    }

    /// The bit of a strategy, if it was asked for before.
    #[inline]
    pub(super) fn bit(&self, s: OpId, memory: FailureMemory) -> Option<FailureBit> {
        self.bits[memory as usize].get(s as usize).copied().flatten()
    }

    /// This is the bit of the strategy.
    pub(super) fn keep(&mut self, s: OpId, memory: FailureMemory, bit: FailureBit) -> FailureBit {
        let bits = &mut self.bits[memory as usize];
        bits.resize(bits.len().max(s as usize + 1), None);
        bits[s as usize] = Some(bit);
        bit
    }

    /// Whether it is known that what has this bit comes to nothing on the node, at a place with these signatures.
    #[inline]
    pub(super) fn know(&mut self, bit: FailureBit, node: &Node, signature: impl FnOnce(bool) -> u64) -> bool {
        if bit.is_plain() { bit.is_in(node) } else { self.know_there(bit, node, signature) }
    }

    #[inline(never)]
    fn know_there(&mut self, bit: FailureBit, node: &Node, signature: impl FnOnce(bool) -> u64) -> bool {
        let noted = bit.is_in(node);
        // Answered without the signature where that decides nothing, because it has to be worked out.
        if noted && !bit.is_placed() || !noted && !bit.is_dear() || !bit.is_given() || !bit.is_of(self.run) {
            return noted;
        }
        let signature = bit.seen(signature);
        if noted && node.signature() == signature {
            return true;
        }
        let known = bit.is_dear() && self.alike.knows(bit.own(), node, signature);
        if known {
            // Noted in this node, too, so that the next look at it finds that without the table.
            bit.note(node, signature);
        }
        known
    }

    /// Notes it.
    #[inline]
    pub(super) fn note(&mut self, bit: FailureBit, node: &Rc<Node>, signature: impl FnOnce(bool) -> u64) {
        match bit.is_plain() {
            true => bit.note_anywhere(node),
            false => self.note_there(bit, node, signature),
        }
    }

    #[inline(never)]
    fn note_there(&mut self, bit: FailureBit, node: &Rc<Node>, signature: impl FnOnce(bool) -> u64) {
        // One that was given before all began anew may be another strategy's by now.
        if !bit.is_given() || !bit.is_of(self.run) {
            return;
        }
        let signature = bit.seen(signature);
        bit.note(node, signature);
        if bit.is_dear() {
            self.alike.note(bit.own(), node, signature);
        }
    }

    /// A bit for a strategy that inspects this, if there is one left and that isn't everything.
    pub(super) fn give(&mut self, footprint: OpFootprint) -> FailureBit {
        let kind = match (footprint.context, footprint.ordered) {
            (ContextUse::Everything, _) => return FailureBit::NONE,
            (_, true) => 2,
            (ContextUse::Marks, false) => 1,
            (ContextUse::Nothing, false) => 0,
        };
        let next = &mut self.next[kind];
        // Bits are few: what gets none is run each time, which takes longer, but must come to the same.
        if *next >= [FIRST_MARKS_BIT, FIRST_ORDERED_BIT, ALL][kind] {
            return FailureBit::NONE;
        }
        *next += 1;
        FailureBit::new(self.run, *next - 1, footprint.searches)
    }
}

/// By a strategy's number; `None` while nobody has asked.
type OpBits = Vec<Option<FailureBit>>;
