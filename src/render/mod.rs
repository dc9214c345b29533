//! What people see: diagnostics, terms and derivations as text, with or without colour.
//!
//! The only room that names `colored` and `codespan-reporting`. It gets plain data and whether colour is wanted; it
//! knows no session, writes nowhere and reads no environment.

mod answer;
mod diagnostics;
mod json;
mod line;
mod page;
mod rules;
mod steps;
mod theme;
mod work;

pub use answer::answer;
pub use diagnostics::{diagnostics, trouble};
pub use json::{counts, derivation};
pub use line::{faint, input_line, prompt};
pub use page::{Page, paged};
pub use rules::{rule, rules};
pub use steps::{Rewrite, step, steps, trace};
pub use work::{polynomial, work};

use crate::ground::{Name, StopReason};
use crate::syntax::{Piece, Style, print_pieces};
use crate::term::Term;
use theme::{Look, paint};

/// A closed term, laid out to `width`.
pub fn term(term: &Term, width: usize, colour: bool) -> String {
    open_term(term, &[], width, colour)
}

/// A term in the scope of the variables `scope`, outermost first.
pub fn open_term(term: &Term, scope: &[Name], width: usize, colour: bool) -> String {
    pieces(&print_pieces(term, scope, None, &Style { width }), colour)
}

/// Why a run was stopped, and how to raise the limit.
pub fn stop_reason(reason: &StopReason, colour: bool) -> String {
    paint(Look::Warning, &reason.to_string(), colour)
}

/// Printed text in the colours of its roles; marks are ignored.
pub fn pieces(pieces: &[Piece], colour: bool) -> String {
    pieces.iter().map(|p| paint(Look::Role(p.role), &p.text, colour)).collect()
}
