//! Renders what people see: diagnostics, terms and derivations become text in runs, each with its look.
//!
//! This is the only module that names `codespan-reporting`. It gets plain data; it knows no session and no colours, writes
//! nowhere and reads no environment.

mod code;
mod derivation;
mod diagnostics;
mod difference;
mod finding_text;
mod focus;
mod grammar;
mod json;
mod page;
mod profile;
mod steps;
mod summary;
mod unknown;
mod walk;
mod words;
mod work;

pub use code::{code, input_line};
pub(crate) use derivation::rules;
pub use derivation::{overview, view};
pub use diagnostics::{diagnostics, finding, trouble};
pub(crate) use focus::{MAX_EXCERPT_NODES, excerpt};
pub use focus::{end_of, in_focus};
pub use grammar::grammar;
pub(crate) use json::stopped_json;
pub use json::{answer_json, counts, derivation, json_steps};
pub use page::paged;
pub(crate) use page::{MAX_READABLE_NODES, beginning};
pub use steps::{Excerpts, Rewrite, each_step, ends, step, steps, trace};
pub use summary::summary;
pub(crate) use summary::{MAX_STRATEGY_CHARS, quoted, rule_counts, thrown};
pub use unknown::unknown_work;
pub use walk::walk;
pub use words::Language;
pub(crate) use work::{brief, change, changed, trend};
pub use work::{leading, polynomial, work};

pub use crate::styled::{Look, PageLayout, Styled};
use redexter_language::ground::{Name, StopReason};
use redexter_language::syntax::{PrintStyle, PrintedPiece, print_each};
use redexter_language::term::Term;

/// A closed term, laid out to `width`.
pub fn term(term: &Term, width: usize) -> Styled {
    open_term(term, &[], width)
}

/// A term in the scope of the variables `scope`, outermost first.
pub fn open_term(term: &Term, scope: &[Name], width: usize) -> Styled {
    let mut text = Styled::default();
    print_each(term, scope, &PrintStyle { width }, &mut |piece| text.push(Look::Role(piece.role), &piece.text));
    text
}

/// Why a run was stopped, and how to raise the limit.
pub fn stop_reason(reason: &StopReason) -> Styled {
    Styled::of(Look::Warning, &reason.to_string())
}

/// Printed text in the looks of its roles; marks are ignored.
pub fn pieces(pieces: &[PrintedPiece]) -> Styled {
    pieces.iter().fold(Styled::default(), |text, p| text.and(Look::Role(p.role), &p.text))
}
