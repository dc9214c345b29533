//! From raw trees to typed terms: names, types, sizes, unfolding and D.
//!
//! `infer` checks a raw tree against expected types with the help of `unify`; what types don't decide yet waits in
//! `pending`. The result is a typed `tree`, which `lower` turns into a term: definitions unfold, static arguments are
//! substituted (`statics` says which those are) and D is taken. `define` does one definition, `load` a file with its
//! imports, `rule` the laws of a rule. This room knows neither strategies nor evaluation.

mod apply;
mod arithmetic;
mod data;
mod define;
mod diagnose;
mod dual;
mod finish;
mod forms;
mod infer;
mod law;
mod load;
mod lower;
mod model;
mod names;
mod operators;
mod pending;
mod rule;
mod scan;
mod settle;
mod statics;
mod tree;
mod unify;

pub use define::term;
pub use law::{Law, PatternVar};
pub use load::{Loader, Read, prelude};
pub use model::{Definition, Model};
pub use rule::laws;
pub(crate) use unify::Solver;
