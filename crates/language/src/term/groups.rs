//! Groups constructors, in groups few enough for a node to say which of them stand somewhere in it.

use super::form::Holdings;
use super::kind::Head;
use super::node::Node;
use super::prim::{Prim, PrimClass};

/// Groups of constructors that are much alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstructorGroups(Holdings);

/// How many bits of [`Holdings`] stand below those of groups.
const BITS_BELOW_GROUPS: u32 = 11;

impl ConstructorGroups {
    /// That of a constructor; none of variables, which stand nearly everywhere.
    pub fn of(head: Head) -> ConstructorGroups {
        let number = match head {
            Head::Var => return ConstructorGroups::default(),
            Head::Real | Head::Int | Head::Fin | Head::SizeVar => 1,
            Head::Lam => 2,
            Head::App => 3,
            Head::Let => 4,
            Head::If => 5,
            Head::Ifold => 6,
            Head::Build => 7,
            Head::Array => 8,
            Head::Get => 9,
            Head::Pair => 10,
            Head::Fst => 11,
            Head::Snd => 12,
            Head::Prim(Prim::Add | Prim::Offset(_)) => 13,
            Head::Within | Head::Guard | Head::Scan | Head::Scanr | Head::Scatter | Head::Pull | Head::Plus => 20,
            Head::Prim(Prim::Neg) => 0,
            Head::Prim(Prim::Sub) => 14,
            Head::Prim(Prim::Mul) => 15,
            Head::Prim(Prim::Div) => 16,
            Head::Prim(Prim::Eq | Prim::Ne) => 17,
            Head::Prim(prim) => match prim.class() {
                PrimClass::Comparison => 18,
                PrimClass::Connective => 19,
                PrimClass::Arithmetic | PrimClass::Function | PrimClass::Conversion => 20,
            },
        };
        ConstructorGroups(1 << (BITS_BELOW_GROUPS + number))
    }

    /// These and the others.
    pub fn and(self, other: ConstructorGroups) -> ConstructorGroups {
        ConstructorGroups(self.0 | other.0)
    }

    /// Whether the others have all of these.
    pub fn are_in(self, others: ConstructorGroups) -> bool {
        self.0 & !others.0 == 0
    }

    /// As they stand among what else there is in a node.
    pub(super) fn holdings(self) -> Holdings {
        self.0
    }
}

impl Node {
    /// Whether one of these stands somewhere in it, or is its own constructor's.
    #[inline]
    pub fn holds_any(&self, groups: ConstructorGroups) -> bool {
        groups.0 & self.holds != 0
    }

    /// Whether all of these stand somewhere in it, or are its own constructor's.
    #[inline]
    pub fn holds(&self, groups: ConstructorGroups) -> bool {
        groups.0 & !self.holds == 0
    }
}
