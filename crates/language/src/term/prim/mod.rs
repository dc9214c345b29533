//! Describes the primitives by one table: a row says all that any module must know of one, as plain data.
//!
//! Here stands what a row holds, column by column; `table` has the rows, `overload` what a primitive takes and computes.

mod formula;
mod futhark;
mod overload;
mod special;
mod table;

use super::charge::Charge;
use super::scheme::MetaType;

pub use formula::{Derivative, Formula};
pub use futhark::FutharkForm;
pub use overload::{Overload, Scalar};
pub use table::Prim;

/// The notation of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixity {
    /// Between its operands; a higher number binds tighter.
    Infix(u8),
    /// Before its operand, as an operator; a higher number binds tighter.
    Prefix(u8),
    /// As a function applied to its operands, by a word that nothing else can be called.
    Reserved,
    /// As a function applied to its operands, by a word that means something else where users say so.
    Open,
}

impl Fixity {
    /// Whether it is written as a function, by a word.
    pub fn is_word(self) -> bool {
        matches!(self, Fixity::Reserved | Fixity::Open)
    }
}

/// The class of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrimClass {
    /// Computes with numbers of one type.
    Arithmetic,
    /// A function of real numbers.
    Function,
    /// Compares two numbers of one type; the result is 0 or 1.
    Comparison,
    /// Connects truths, which are `int`.
    Connective,
    /// From one type of numbers to another.
    Conversion,
}

impl PrimClass {
    /// Whether the result is a truth: 0 or 1.
    pub fn is_truth(self) -> bool {
        matches!(self, PrimClass::Comparison | PrimClass::Connective)
    }
}

/// A primitive's row in the table.
struct PrimRow {
    text: &'static str,
    fixity: Fixity,
    class: PrimClass,
    charge: Charge,
    overloads: &'static [Overload],
    derivative: Derivative,
    futhark: FutharkForm,
}

/// Binding strength of `||`.
pub const DISJUNCTION: u8 = 1;
/// Binding strength of `&&`.
pub const CONJUNCTION: u8 = 2;
/// Binding strength of `not`.
pub const NEGATION: u8 = 3;
/// Binding strength of comparisons, which don't associate.
pub const COMPARISON: u8 = 4;
/// Binding strength of `+` and `-`.
pub const ADDITIVE: u8 = 5;
/// Binding strength of `*` and `/`.
pub const MULTIPLICATIVE: u8 = 6;
/// Binding strength of unary `-`.
pub const MINUS: u8 = 7;
/// Binding strength of `^`, to the right.
pub const POWER: u8 = 8;

impl Prim {
    /// The operator or name that users write.
    pub fn text(self) -> &'static str {
        self.row().text
    }

    /// How it is written.
    pub fn fixity(self) -> Fixity {
        self.row().fixity
    }

    /// What kind of primitive it is.
    pub fn class(self) -> PrimClass {
        self.row().class
    }

    /// What running it once counts as.
    pub fn charge(self) -> Charge {
        self.row().charge
    }

    /// What it computes, by the types of its operands; those of all overloads are as many, and the first differs.
    pub fn overloads(self) -> &'static [Overload] {
        self.row().overloads
    }

    /// The number of operands.
    pub fn arity(self) -> usize {
        self.overloads()[0].operands().len()
    }

    /// The types that operand `k` may have, one for each overload.
    pub fn takes(self, k: usize) -> impl Iterator<Item = &'static MetaType> {
        self.overloads().iter().filter_map(move |overload| overload.operands().get(k))
    }

    /// Whether an operand may be an `int`.
    pub fn takes_int(self) -> bool {
        self.overloads().iter().any(|overload| overload.operands().contains(&MetaType::Int))
    }

    /// Whether an operand may be an index.
    pub fn takes_fin(self) -> bool {
        let is_fin = |ty: &MetaType| matches!(ty, MetaType::Fin(_));
        self.overloads().iter().any(|overload| overload.operands().iter().any(is_fin))
    }

    /// How its result changes with its operands.
    pub fn derivative(self) -> &'static Derivative {
        &self.row().derivative
    }

    /// What it is in Futhark.
    pub fn futhark(self) -> &'static FutharkForm {
        &self.row().futhark
    }

    /// The functions of one real that have a derivative, but for those that round what others computed.
    pub fn of_one_real() -> impl Iterator<Item = Prim> {
        let is_such =
            |p: &Prim| matches!((p.overloads(), p.derivative()), ([Overload::Real(_), ..], Derivative::Tangent(_)));
        Prim::ALL.iter().copied().filter(is_such).filter(|p| !p.is_rounded())
    }

    /// The primitive written as a function under this name, such as `exp` or `real`.
    fn named(name: &str) -> Option<Prim> {
        Prim::ALL.iter().copied().find(|p| p.fixity().is_word() && p.text() == name)
    }

    /// The primitive whose name this is and nothing else can be.
    pub fn reserved(name: &str) -> Option<Prim> {
        Prim::named(name).filter(|p| p.fixity() == Fixity::Reserved)
    }

    /// The primitive with this name where users call nothing else so.
    pub fn open(name: &str) -> Option<Prim> {
        Prim::named(name).filter(|p| p.fixity() == Fixity::Open)
    }

    /// What an operator between numbers is on integers: `/` is another one there.
    pub fn on_integers(self) -> Prim {
        if self == Prim::Div { Prim::Quot } else { self }
    }

    /// The binary operator with this text.
    pub fn infix(text: &str) -> Option<Prim> {
        Prim::ALL.iter().copied().find(|p| matches!(p.fixity(), Fixity::Infix(_)) && p.text() == text)
    }
}
