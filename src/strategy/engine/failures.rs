//! What is known to fail where, or to rewrite nothing: noted in the nodes themselves, by one bit for each strategy of a run.
//!
//! A strategy that looks at nothing but the term fails on a node wherever it stands; one that sees what the context says
//! about the term's variables, or in which [order](crate::rule::order) they are bound, fails wherever that is the same. Of
//! such strategies a node's note is about one [signature](crate::rule::Marks::signature), the last. A note holds the number of the run that wrote it, so that notes
//! of other runs say nothing; the notes take no more room than the nodes, and go with them.

use std::cell::Cell;
use std::rc::Rc;

use crate::rule::ContextUse;
use crate::term::Node;

use super::alike::Alike;
use super::code::Id;
use super::footprint::OpFootprint;

thread_local! {
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// One strategy's bit in the notes of one run, with that for [dear](DEAR) ones.
#[derive(Clone, Copy)]
pub(super) struct Bit(u64);

/// The part of a note that is the number of the run; no run has number 0.
const RUN: u64 = !0 << 32;

/// Beside a strategy's bit this one says that equal nodes are looked for, too.
const DEAR: u64 = 1 << 1;

/// The bits from here on are for strategies that look at the term alone; those from the next number on are for such as see
/// what the context says about variables, the others for such as see in which order they are bound, too.
const FIRST: u32 = 2;
const ALONE: u32 = 16;
const UNORDERED: u32 = 25;
const ALL: u32 = 32;

/// The bits of those that see more than the term, and of those that see the order.
const PLACED: u64 = !RUN & !0 << ALONE;
const ORDERED: u64 = !RUN & !0 << UNORDERED;

impl Bit {
    /// Of what isn't noted; the first bit is nobody's.
    pub(super) const NONE: Bit = Bit(1);

    /// Whether anything is noted by it.
    #[inline]
    fn is_given(self) -> bool {
        self.0 & RUN != 0
    }

    /// Whether a look at the node says all.
    #[inline]
    fn is_plain(self) -> bool {
        self.0 & (PLACED | DEAR) == 0
    }

    /// Alone.
    #[inline]
    fn own(self) -> u32 {
        (self.0 & !RUN & !DEAR) as u32
    }

    #[inline]
    fn is_dear(self) -> bool {
        self.0 & DEAR != 0
    }

    #[inline]
    fn is_placed(self) -> bool {
        self.0 & PLACED != 0
    }

    /// What it sees of a place that has these signatures, without the order or with it.
    #[inline]
    fn seen(self, signature: impl FnOnce(bool) -> u64) -> u64 {
        if self.is_placed() { signature(self.0 & ORDERED != 0) } else { 0 }
    }

    /// Whether a node's note says that the strategy fails, where the node has some signature.
    #[inline]
    fn is_in(self, node: &Node) -> bool {
        (node.mark() ^ self.0) & (self.0 | RUN) == 0
    }

    /// Notes that the strategy fails on the node, where it has this signature.
    #[inline]
    fn note(self, node: &Node, signature: u64) {
        let mut note = node.mark();
        if (note ^ self.0) & RUN != 0 {
            note = 0;
        }
        if self.is_placed() && (note & PLACED == 0 || node.signature() != signature) {
            note &= !PLACED;
            node.set_signature(signature);
        }
        node.set_mark(note | self.0);
    }
}

/// What is remembered of a strategy.
#[derive(Clone, Copy)]
pub(super) enum Memory {
    /// That it fails.
    Failure,
    /// The same of one that runs on a certain child.
    Below,
    /// That it succeeds and rewrites nothing.
    Idle,
}

pub(super) struct Failures {
    run: u64,
    /// The bits by which nodes remember each [`Memory`].
    bits: [Bits; 3],
    alike: Alike,
    /// The next bits of the three kinds.
    next: [u32; 3],
}

impl Failures {
    /// For terms of about so many nodes.
    pub(super) fn new(nodes: u64) -> Failures {
        let run = RUNS.with(|runs| {
            runs.set(runs.get().wrapping_add(1).max(1));
            runs.get()
        });
        Failures {
            run: u64::from(run) << 32,
            bits: Default::default(),
            alike: Alike::new(nodes),
            next: [FIRST, ALONE, UNORDERED],
        }
    }

    /// The bit of a strategy, if it was asked for before.
    #[inline]
    pub(super) fn bit(&self, s: Id, memory: Memory) -> Option<Bit> {
        self.bits[memory as usize].get(s as usize).copied().flatten()
    }

    /// This is the bit of the strategy.
    pub(super) fn keep(&mut self, s: Id, memory: Memory, bit: Bit) -> Bit {
        let bits = &mut self.bits[memory as usize];
        bits.resize(bits.len().max(s as usize + 1), None);
        bits[s as usize] = Some(bit);
        bit
    }

    /// Whether it is known that what has this bit comes to nothing on the node, at a place with these signatures.
    #[inline]
    pub(super) fn know(&mut self, bit: Bit, node: &Node, signature: impl FnOnce(bool) -> u64) -> bool {
        let noted = bit.is_in(node);
        if bit.is_plain() || noted && !bit.is_placed() || !noted && !bit.is_dear() {
            return noted;
        }
        let signature = bit.seen(signature);
        if noted && node.signature() == signature {
            return true;
        }
        let known = bit.is_dear() && self.alike.knows(bit.own(), node, signature);
        if known {
            bit.note(node, signature);
        }
        known
    }

    /// Notes it.
    #[inline]
    pub(super) fn note(&mut self, bit: Bit, node: &Rc<Node>, signature: impl FnOnce(bool) -> u64) {
        if !bit.is_given() {
            return;
        }
        let signature = bit.seen(signature);
        bit.note(node, signature);
        if bit.is_dear() {
            self.alike.note(bit.own(), node, signature);
        }
    }

    /// A bit for a strategy that inspects this, if there is one left and that isn't everything.
    pub(super) fn give(&mut self, footprint: OpFootprint) -> Bit {
        let kind = match (footprint.context, footprint.ordered) {
            (ContextUse::Everything, _) => return Bit::NONE,
            (_, true) => 2,
            (ContextUse::Marks, false) => 1,
            (ContextUse::Nothing, false) => 0,
        };
        let next = &mut self.next[kind];
        if *next >= [ALONE, UNORDERED, ALL][kind] {
            return Bit::NONE;
        }
        let bit = 1 << *next;
        *next += 1;
        Bit(self.run | bit | if footprint.searches { DEAR } else { 0 })
    }
}

/// By a strategy's number; `None` while nobody has asked.
type Bits = Vec<Option<Bit>>;
