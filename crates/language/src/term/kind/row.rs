//! Defines what a row of the constructors' table says.

use crate::term::charge::Charge;
use crate::term::path::Slot;
use crate::term::prim::Fixity;
use crate::term::scheme::MetaType;

/// A child of a constructor.
#[derive(Clone, Copy, Debug)]
pub struct ChildSpec {
    /// Its place.
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

/// The children of a constructor, their types, and that of the whole. What the constructor holds are metavariables
/// of its sort, from 0.
#[derive(Clone, Copy, Debug)]
pub enum KindSignature {
    /// These, and the type of the whole.
    Listed(&'static [ChildSpec], MetaType),
    /// Any number, under no binder and evaluated at most once: the place of the first, their type, what each is called where
    /// that is wrong, and the type of the whole.
    Each(Slot, MetaType, &'static str, MetaType),
    /// What the primitive takes and gives.
    Primitive,
}

/// A constructor.
pub(super) struct ConstructorRow {
    /// What fingerprints begin with.
    pub(super) tag: u8,
    /// What it is called.
    pub(super) noun: &'static str,
    /// The word that it is written with, as a function of its children, and who may call something else so.
    pub(super) word: Option<(&'static str, Fixity)>,
    pub(super) signature: KindSignature,
    /// What running it counts as; none for primitives, which say it themselves.
    pub(super) charge: Option<Charge>,
}

impl ConstructorRow {
    /// How many binders stand around each child, two bits for each, and a bit for each that may be evaluated more than once.
    pub(super) const fn packed(&self) -> (u16, u8) {
        let KindSignature::Listed(kids, _) = self.signature else { return (0, 0) };
        let (mut binders, mut repeated, mut k) = (0, 0, 0);
        assert!(kids.len() <= 8, "more children than can be packed");
        while k < kids.len() {
            assert!(kids[k].binds.len() < 4, "more binders than can be packed");
            binders |= (kids[k].binds.len() as u16) << (2 * k);
            repeated |= (kids[k].repeated as u8) << k;
            k += 1;
        }
        (binders, repeated)
    }
}
