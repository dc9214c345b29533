//! Defines terms, types and sizes: the object language. This room knows nobody but `ground`.
//!
//! Start with [`Term`] (what a term is and why it is cheap to move), then `make` (the only constructors, all of which
//! check), `subst` (scopes) and `path` (places). [`Type`] and [`Size`] are plain data in normal form.

mod assemble;
mod bindings;
mod charge;
mod drops;
mod embedding;
mod fingerprint;
mod form;
mod gather;
mod groups;
mod kind;
mod leaf;
mod make;
mod meets;
mod node;
mod open;
mod part;
mod path;
mod prim;
mod program;
mod scheme;
mod shape;
mod size;
mod subst;
mod types;
mod typing;
mod uses;

pub use bindings::Bindings;
pub use charge::Charge;
pub use drops::{drop_postponed, postpone_drops};
pub use embedding::Among;
pub(crate) use fingerprint::Mix;
pub use groups::Groups;
pub use kind::{Head, Held, Kid, Kind, Signature, View};
pub use node::{Node, Term};
pub use open::Opens;
pub use part::Part;
pub use path::{Path, Slot};
pub use prim::{ADDITIVE, COMPARISON, CONJUNCTION, DISJUNCTION, MINUS, MULTIPLICATIVE, NEGATION};
pub use prim::{Class, Derivative, Fixity, Formula, Futhark, Overload, Prim, Scalar};
pub use program::Program;
pub use scheme::{MetaSize, MetaType, Metas};
pub use size::{Atom, Bounds, MAX_SIZE, MAX_TERMS, Size};
pub use types::{Assignment, TooLarge, Type, TypeMemo, TypeView};
pub use typing::IllTyped;
pub use uses::Free;
