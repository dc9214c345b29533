//! Describes the constructors by one table: a row says all that any module must know of one.
//!
//! A constructor holds names, types, sizes and numbers besides its children. `row` has what a row says, `table` the rows and the
//! types that are made of them; here stands what is worked out from the rows.

mod payload;
mod row;
mod table;

pub use payload::Payload;
pub use row::{ChildSpec, KindSignature};
pub use table::{Head, Kind, View};

use super::charge::Charge;
use super::fingerprint::FingerprintHasher;
use super::path::Slot;
use super::prim::{Fixity, Prim};
use super::shape::mixed;
use super::size::Size;
use super::types::Type;
use crate::ground::Name;

/// How many binders stand around child `k`, of what [`Kind::packed`] says. Nothing is packed where there are so many children
/// that the shift goes round.
#[inline(always)]
pub(super) fn unpacked(binders: u16, k: usize) -> u32 {
    u32::from(binders).wrapping_shr(2 * k as u32) & 3
}

impl Head {
    /// How many there are.
    pub const COUNT: usize = table::PLAIN.len() + Prim::ALL.len();

    /// Whether it never has children.
    pub fn is_leaf(self) -> bool {
        matches!(self.row().signature, KindSignature::Listed([], _))
    }

    /// Each of them once.
    pub fn all() -> impl Iterator<Item = Head> {
        table::PLAIN.iter().copied().chain(Prim::ALL.iter().map(|prim| Head::Prim(*prim)))
    }
}

impl Kind {
    /// How many binders stand around child `k`.
    #[inline(always)]
    pub fn binders(&self, k: usize) -> u32 {
        unpacked(self.packed().0, k)
    }

    /// Whether a binder stands around a child.
    #[inline(always)]
    pub fn binds(&self) -> bool {
        self.packed().0 != 0
    }

    /// Whether child `k` may be evaluated more than once: under a `build`, an `ifold` body or a λ.
    #[inline(always)]
    pub fn repeats(&self, k: usize) -> bool {
        let (_, repeated) = self.packed();
        u32::from(repeated).wrapping_shr(k as u32) & 1 == 1
    }

    /// Its children, their types, and that of the whole.
    pub fn signature(&self) -> &'static KindSignature {
        &self.head().row().signature
    }

    /// The word that it is written with, as a function, and who may call something else so.
    pub fn word(&self) -> Option<(&'static str, Fixity)> {
        match self {
            Kind::Prim(prim) => Some((prim.text(), prim.fixity())).filter(|(_, fixity)| fixity.is_word()),
            other => other.head().row().word,
        }
    }

    /// Whether it is a word that some constructor or primitive is written with where nothing else is called so.
    pub fn is_open_word(word: &str) -> bool {
        let is_row = |head: &Head| head.row().word == Some((word, Fixity::Open));
        Prim::open(word).is_some() || table::PLAIN.iter().any(is_row)
    }

    /// What running it counts as, apart from its children.
    pub fn charge(&self) -> Charge {
        let own = || if let Kind::Prim(prim) = self { prim.charge() } else { Charge::Free };
        self.head().row().charge.unwrap_or_else(own)
    }

    /// Whether it is a loop, whose function, the first child, runs in each of its rounds.
    pub fn is_loop(&self) -> bool {
        matches!(self.charge(), Charge::Rounds { .. })
    }

    /// What it is called.
    pub fn noun(&self) -> &'static str {
        self.head().row().noun
    }

    /// The name of child `k`'s place.
    pub fn slot(&self, k: usize) -> Slot {
        match self.signature() {
            KindSignature::Listed(kids, _) => kids.get(k).map_or(Slot::Operand(k as u32), |kid| kid.slot),
            KindSignature::Each(first, ..) => first.numbered(k as u32),
            KindSignature::Primitive => Slot::Operand(k as u32),
        }
    }

    /// The type that it holds.
    pub fn held_type(&self) -> Option<&Type> {
        self.find_held(|held| if let Payload::Type(ty) = held { Some(ty) } else { None })
    }

    /// The sizes that it holds, in order; of a loop the first is how often it runs.
    pub fn held_sizes(&self) -> impl Iterator<Item = &Size> {
        let mut found = [None; 2];
        let mut k = 0;
        self.each_held(|held| {
            if let Payload::Size(size) = held {
                found[k] = Some(size);
                k += 1;
            }
        });
        found.into_iter().flatten()
    }

    /// The name that a user gave to what it binds.
    pub fn hint(&self) -> Option<&Name> {
        self.find_held(|held| if let Payload::Hint(name) = held { Some(name) } else { None })
    }

    #[inline(always)]
    fn find_held<'a, T>(&'a self, wanted: impl Fn(Payload<'a>) -> Option<&'a T>) -> Option<&'a T> {
        let mut found = None;
        self.each_held(|held| found = found.or(wanted(held)));
        found
    }

    pub(super) fn mix(&self, mix: &mut FingerprintHasher) {
        mix.tag(self.head().row().tag);
        self.each_held(|held| match held {
            Payload::Hint(_) => {}
            Payload::Type(ty) => mix.wide(ty.fingerprint()),
            Payload::Size(size) => mix.size(size),
            Payload::SizeVar(name) => mix.text(name.as_str()),
            Payload::Real(x) => mix.word(x.to_bits()),
            Payload::Int(x) => mix.word(*x as u64),
            Payload::Index(x) => mix.word(*x),
            Payload::Prim(prim) => {
                mix.text(prim.text());
                mix.word(prim.arity() as u64);
                if let Some(literal) = prim.held() {
                    mix.word(literal);
                }
            }
        });
    }

    pub(super) fn is_open(&self, ty: &Type) -> bool {
        let mut open = ty.is_open();
        self.each_held(|held| {
            open |= match held {
                Payload::Type(ty) => ty.is_open(),
                Payload::Size(size) => size.as_literal().is_none(),
                Payload::SizeVar(_) => true,
                Payload::Hint(_) | Payload::Real(_) | Payload::Int(_) | Payload::Index(_) | Payload::Prim(_) => false,
            };
        });
        open
    }

    /// The addresses of the objects that it holds, and its numbers: all that differs in kinds with one number.
    #[inline(always)]
    pub(super) fn words(&self) -> [u64; 2] {
        let (mut words, mut k) = ([0; 2], 0);
        self.each_held(|held| {
            words[k] = held.word();
            k += 1;
        });
        words
    }

    /// What its numbers count in the shape of a node.
    #[inline(always)]
    pub(super) fn constant(&self) -> u64 {
        let mut constant = 0;
        self.each_held(|held| {
            constant ^= match held {
                Payload::Real(_) | Payload::Int(_) | Payload::Index(_) => mixed(held.word()),
                Payload::Prim(prim) => prim.held().map_or(0, mixed),
                Payload::Hint(_) | Payload::Type(_) | Payload::Size(_) | Payload::SizeVar(_) => 0,
            };
        });
        constant
    }
}
