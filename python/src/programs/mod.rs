//! Holds terms, and derivations, which begin and end with terms: each names the other.

mod derivation;
mod term;

pub use derivation::{Derivation, Page, Stage, Step};
pub use term::{KeptTerm, Term, TermTexts};
