//! Reads and writes what a node notes of one strategy: a bit beside the number of the run. Nothing else touches the notes.

use redexter_language::term::Node;

/// One strategy's bit in the notes of one run, with another one where the strategy is [expensive](EXPENSIVE).
#[derive(Clone, Copy)]
pub(super) struct FailureBit(u64);

/// The part of a note that is the number of the run; no run has number 0.
const RUN_MASK: u64 = !0 << 32;

/// Beside a strategy's bit this one says that the strategy is expensive, so that equal nodes are looked for, too.
const EXPENSIVE: u64 = 1 << 1;

/// The bits from here on are for strategies that look at the term alone; those from the next number on are for such as see
/// what the context says about variables, the others for such as see in which order they are bound, too.
pub(super) const FIRST: u32 = 2;
pub(super) const FIRST_MARKS_BIT: u32 = 21;
pub(super) const FIRST_ORDERED_BIT: u32 = 28;
pub(super) const ALL: u32 = 32;

/// The bits of those that see more than the term, and of those that see the order.
const PLACED: u64 = !RUN_MASK & !0 << FIRST_MARKS_BIT;
const ORDERED: u64 = !RUN_MASK & !0 << FIRST_ORDERED_BIT;

impl FailureBit {
    /// Of what isn't noted; the first bit is nobody's. It counts as expensive so that it isn't plain: the quick path need not
    /// ask for it.
    pub(super) const NONE: FailureBit = FailureBit(1 | EXPENSIVE);

    /// The bit with this number, for this run.
    pub(super) fn new(run: u32, number: u32, dear: bool) -> FailureBit {
        FailureBit(u64::from(run) << 32 | 1 << number | if dear { EXPENSIVE } else { 0 })
    }

    /// Whether anything is noted by it.
    #[inline]
    pub(super) fn is_given(self) -> bool {
        self.0 & RUN_MASK != 0
    }

    /// Whether it was given in this run.
    #[inline]
    pub(super) fn is_of(self, run: u32) -> bool {
        self.0 & RUN_MASK == u64::from(run) << 32
    }

    /// Whether a look at the node says all.
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        self.0 & (PLACED | EXPENSIVE) == 0
    }

    /// Alone.
    #[inline]
    pub(super) fn own(self) -> u32 {
        (self.0 & !RUN_MASK & !EXPENSIVE) as u32
    }

    #[inline]
    pub(super) fn is_dear(self) -> bool {
        self.0 & EXPENSIVE != 0
    }

    #[inline]
    pub(super) fn is_placed(self) -> bool {
        self.0 & PLACED != 0
    }

    /// What it sees of a place that has these signatures, without the order or with it.
    #[inline]
    pub(super) fn seen(self, signature: impl FnOnce(bool) -> u64) -> u64 {
        if self.is_placed() { signature(self.0 & ORDERED != 0) } else { 0 }
    }

    /// Whether a node's note says that the strategy fails, where the node has some signature.
    #[inline]
    pub(super) fn is_in(self, node: &Node) -> bool {
        (node.mark() ^ self.0) & (self.0 | RUN_MASK) == 0
    }

    /// What is noted in a node in this run.
    #[inline]
    fn noted(self, node: &Node) -> u64 {
        let note = node.mark();
        // A note of another run says nothing here, because each run gives its bits anew.
        if (note ^ self.0) & RUN_MASK == 0 { note } else { 0 }
    }

    /// Notes that the strategy fails on the node, wherever that stands.
    #[inline]
    pub(super) fn note_anywhere(self, node: &Node) {
        node.set_mark(self.noted(node) | self.0);
    }

    /// Notes that the strategy fails on the node, where it has this signature.
    #[inline]
    pub(super) fn note(self, node: &Node, signature: u64) {
        let mut note = self.noted(node);
        // A node has room for one signature, so that notes about places with another one must go.
        if self.is_placed() && (note & PLACED == 0 || node.signature() != signature) {
            note &= !PLACED;
            node.set_signature(signature);
        }
        node.set_mark(note | self.0);
    }
}
