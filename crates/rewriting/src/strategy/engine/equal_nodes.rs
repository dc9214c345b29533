//! Remembers what failed on a node for equal ones (`EqualNodeTable`): for such as were made apart, and for a node that stands in
//! several contexts by turns.
//!
//! Nodes themselves remember what failed on them, but each only for itself and for the context that was asked about last. This
//! is a table of nodes beside them, of a fixed size, in which a newer one takes an older one's place. It costs more than a look
//! at the node: it is for strategies whose rules search terms.

use std::rc::Rc;

use redexter_language::term::Node;

/// At most so many nodes are held, because the table keeps them alive: it must not grow with the run.
const MAX_NODES: u64 = 1 << 14;

/// Spreads what is multiplied with it over the upper bits.
const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Nodes with what is known of equal ones.
pub(super) struct EqualNodeTable {
    /// As many as a power of 2, once there is one.
    slots: Vec<EqualNodeSlot>,
    /// How many bits of a hash number them.
    width: u32,
}

#[derive(Clone, Default)]
struct EqualNodeSlot {
    node: Option<Rc<Node>>,
    signature: u64,
    /// What is known of it there.
    bits: u32,
}

impl EqualNodeTable {
    /// For terms of about so many nodes.
    pub(super) fn new(nodes: u64) -> EqualNodeTable {
        EqualNodeTable { slots: Vec::new(), width: nodes.clamp(64, MAX_NODES).next_power_of_two().trailing_zeros() }
    }

    /// One of the same size that knows nothing.
    pub(super) fn emptied(&self) -> EqualNodeTable {
        EqualNodeTable { slots: Vec::new(), width: self.width }
    }

    fn place(&self, node: &Node, signature: u64) -> usize {
        // The upper bits of the product, because all bits of the factors reach these.
        ((node.shape() ^ signature).wrapping_mul(HASH_FACTOR) >> (64 - self.width)) as usize
    }

    /// Whether this is known of a node equal to this one, with this signature.
    #[inline(never)]
    pub(super) fn knows(&self, bits: u32, node: &Node, signature: u64) -> bool {
        let slot = self.slots.get(self.place(node, signature));
        // The bits first, because to compare nodes may take their fingerprints.
        slot.is_some_and(|slot| slot.bits & bits != 0 && slot.is(node, signature))
    }

    /// This is known of the node, with this signature.
    #[inline(never)]
    pub(super) fn note(&mut self, bits: u32, node: &Rc<Node>, signature: u64) {
        let place = self.place(node, signature);
        // Made when something is noted first, so that runs without such strategies don't pay for it.
        if self.slots.is_empty() {
            self.slots = vec![EqualNodeSlot::default(); 1 << self.width];
        }
        let slot = &mut self.slots[place];
        if slot.is(node, signature) {
            slot.bits |= bits;
        } else {
            *slot = EqualNodeSlot { node: Some(node.clone()), signature, bits };
        }
    }
}

impl EqualNodeSlot {
    fn is(&self, node: &Node, signature: u64) -> bool {
        self.signature == signature && self.node.as_deref().is_some_and(|own| own.equals(node))
    }
}
