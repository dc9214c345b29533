//! Defines terms, types and sizes: the object language. Of this crate it uses nothing but `ground`.
//!
//! Start with [`Term`] (what a term is and why it is cheap to move), then `make` (the only constructors, all of which
//! check), `subst` (scopes) and `path` (places). [`Type`] and [`Size`] are plain data in normal form.

mod assemble;
mod bindings;
mod charge;
mod compared;
mod drops;
mod embedding;
mod fingerprint;
mod form;
mod gather;
mod groups;
mod keep;
mod kind;
mod leaf;
mod make;
mod node;
mod open;
mod path;
mod prim;
mod program;
mod ranges;
mod scheme;
mod shape;
mod size;
mod subst;
mod term_ref;
mod transposed;
mod types;
mod typing;
mod uses;

pub use bindings::Bindings;
pub use charge::Charge;
pub use drops::{drop_postponed, postpone_drops};
pub use embedding::IndexLookup;
pub(crate) use fingerprint::FingerprintHasher;
pub use groups::ConstructorGroups;
pub use kind::{ChildSpec, Head, Kind, KindSignature, Payload, View};
pub use node::{Node, Term};
pub use open::OpenVariables;
pub use path::{Path, PathStop, Slot};
pub use prim::{ADDITIVE, COMPARISON, CONJUNCTION, DISJUNCTION, MINUS, MULTIPLICATIVE, NEGATION, POWER};
pub use prim::{Derivative, Fixity, Formula, FutharkForm, Overload, Prim, PrimClass, Scalar};
pub use program::Program;
pub use ranges::{RangeEnd, RangeGap, RangeProver};
pub use scheme::{MetaBindings, MetaSize, MetaType};
pub use size::{MAX_SIZE, MAX_TERMS, Size, SizeAtom, SizeBounds};
pub use term_ref::TermRef;
pub use types::{Assignment, TooLarge, Type, TypeMemo, TypeView};
pub use typing::IllTyped;
pub use uses::FreeVariable;
