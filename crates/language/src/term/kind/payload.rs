//! Defines what constructors hold besides their children.

use crate::ground::Name;
use crate::term::prim::Prim;
use crate::term::size::Size;
use crate::term::types::Type;

/// A part of a constructor that is no child.
#[derive(Clone, Copy, Debug)]
pub enum Payload<'a> {
    /// The name that a user gave to what is bound: no part of a term's identity.
    Hint(&'a Name),
    /// A type.
    Type(&'a Type),
    /// A size.
    Size(&'a Size),
    /// A size variable that stands as a term.
    SizeVar(&'a Name),
    /// A real number.
    Real(&'a f64),
    /// An integer.
    Int(&'a i64),
    /// An index.
    Index(&'a u64),
    /// A primitive.
    Prim(&'a Prim),
}

impl Payload<'_> {
    /// Where it is in memory, or the number that it is: equal where both are the same, under one constructor.
    #[inline(always)]
    pub(in crate::term) fn word(self) -> u64 {
        match self {
            Payload::Hint(name) | Payload::SizeVar(name) => name.address() as u64,
            Payload::Type(ty) => ty.address() as u64,
            Payload::Size(size) => size.address() as u64,
            Payload::Real(x) => x.to_bits(),
            Payload::Int(x) => *x as u64,
            Payload::Index(x) => *x,
            Payload::Prim(prim) => prim.literal(),
        }
    }
}
