//! What a row of the constructors' table says.

use crate::term::path::Slot;
use crate::term::scheme::MetaType;

/// A child of a constructor.
#[derive(Clone, Copy, Debug)]
pub struct Kid {
    /// Its place; of children that may be any number, that of the first.
    pub slot: Slot,
    /// The variables that are bound around it, outermost first: their types, and what they are called where those are wrong.
    pub binds: &'static [(MetaType, &'static str)],
    /// Whether it may be evaluated more than once.
    pub repeated: bool,
    /// Its type.
    pub ty: MetaType,
    /// What it is called where its type is wrong.
    pub name: &'static str,
}

/// The children of a constructor, their types, and that of the whole. What the constructor holds is metavariable 0 of its
/// sort.
#[derive(Clone, Copy, Debug)]
pub enum Signature {
    /// These, and the type of the whole.
    Listed(&'static [Kid], MetaType),
    /// Any number of one kind, and the type of the whole.
    Each(Kid, MetaType),
    /// What the primitive takes and gives.
    Primitive,
}

/// What running a constructor costs, apart from its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Nothing.
    Nothing,
    /// A read.
    Read,
    /// An iteration for each index below its size, each with so many writes.
    Rounds {
        /// The elements that a round stores.
        writes: u128,
    },
    /// What the function that is called costs.
    Call,
    /// What the primitive counts as.
    Primitive,
}

/// A constructor.
pub(super) struct Row {
    /// What fingerprints begin with.
    pub(super) tag: u8,
    /// What it is called where a type is wrong.
    pub(super) noun: &'static str,
    pub(super) signature: Signature,
    pub(super) cost: Cost,
}

/// What a node of two children needs to know of its constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::term) enum Two {
    /// Each child stands as the node does.
    Plain,
    /// A variable is bound around the second.
    Binds,
    /// The first may be evaluated more than once.
    Repeats,
    /// Anything else.
    Other,
}

/// So many children of a row fit into packed numbers.
const PACKED: usize = 8;

impl Row {
    const fn kids(&self) -> &'static [Kid] {
        match self.signature {
            Signature::Listed(kids, _) => kids,
            Signature::Each(..) | Signature::Primitive => &[],
        }
    }

    /// How many binders stand around each child, two bits for each.
    pub(super) const fn binders(&self) -> u16 {
        let (kids, mut packed, mut k) = (self.kids(), 0, 0);
        assert!(kids.len() <= PACKED, "more children than can be packed");
        while k < kids.len() {
            assert!(kids[k].binds.len() < 4, "more binders than can be packed");
            packed |= (kids[k].binds.len() as u16) << (2 * k);
            k += 1;
        }
        packed
    }

    /// A bit for each child that may be evaluated more than once.
    pub(super) const fn repeated(&self) -> u8 {
        let (kids, mut packed, mut k) = (self.kids(), 0, 0);
        while k < kids.len() {
            packed |= (kids[k].repeated as u8) << k;
            k += 1;
        }
        packed
    }

    pub(super) const fn two(&self) -> Two {
        match (self.kids().len(), self.binders(), self.repeated()) {
            (2, 0, 0) => Two::Plain,
            (2, 0b0100, 0) => Two::Binds,
            (2, 0, 0b01) => Two::Repeats,
            (0, 0, 0) => match self.signature {
                Signature::Each(..) | Signature::Primitive => Two::Plain,
                Signature::Listed(..) => Two::Other,
            },
            _ => Two::Other,
        }
    }

    /// Children that may be any number stand under no binder and are evaluated once: what is packed has no place for them.
    pub(super) const fn is_plain(&self) -> bool {
        match self.signature {
            Signature::Each(kid, _) => kid.binds.is_empty() && !kid.repeated,
            Signature::Listed(..) | Signature::Primitive => true,
        }
    }
}
