//! Checks raw trees and makes typed terms of them: names, types, sizes, unfolding and D.
//!
//! In reading order, each module knowing those before it only: `diagnose`, what is said of mistakes, and `advice`, how it speaks
//! of the terms there; `division`, comments that may be meant otherwise; `unify`, unknown types and sizes made equal; `solve`,
//! what else must hold of them; `definition`, typed trees and the terms that they unfold to; `model`, what is in scope; `infer`,
//! raw trees to typed trees; then what is checked: a definition or a term (`define`), a file with its imports (`load`), a rule's
//! laws (`law`). This module knows neither strategies nor evaluation.

mod advice;
mod define;
mod definition;
mod diagnose;
mod division;
mod infer;
mod law;
mod load;
mod model;
mod other_names;
mod solve;
mod unify;

pub use define::{dual_type, prompt_term, term, term_and_warnings};
pub use definition::{Definition, WrittenPlace, WrittenProgram};
pub use division::no_division_in_comments;
pub use law::{Law, PatternVar, laws};
pub use load::normal;
pub use load::{Loader, ReadFile, prelude};
pub use model::Model;
pub use unify::TypeUnifier;
