//! Renders what people see: diagnostics, terms and derivations become text in runs, each with its look.
//!
//! This is the only module that names `codespan-reporting`. It gets plain data; it knows no session and no colours, writes
//! nowhere and reads no environment.

mod choice;
mod code;
mod compare;
mod compare_json;
mod derivation;
mod diagnostics;
mod difference;
mod focus;
mod grammar;
mod graph;
mod interact;
mod json;
mod page;
mod profile;
mod search;
mod steps;
mod styled;
mod summary;
mod validate;
mod walk;
mod why;
mod why_json;
mod why_rule;
mod why_rule_json;
mod words;
mod work;

pub use choice::{possible_json, preview_json};
pub use code::{code, input_line};
pub use compare_json::{ablation_json, orders_json, sides_json};
pub use derivation::view;
pub use diagnostics::{diagnostics, finding, trouble};
pub use focus::{end_of, in_focus};
pub use grammar::grammar;
pub use graph::{drawn_in_file, graph_json};
pub use interact::interactions_json;
pub use json::{answer_json, counts, derivation, json_steps};
pub use page::{PageLayout, paged};
pub use search::search_json;
pub use steps::{Excerpts, Rewrite, each_step, ends, step, steps, trace};
pub use styled::{Look, Styled};
pub use summary::summary;
pub use validate::{validation, validation_json};
pub use walk::walk;
pub use why::why;
pub use why_json::why_json;
pub use why_rule::why_rule;
pub use why_rule_json::why_rule_json;
pub use words::Language;
pub use work::{leading, polynomial, work};

use serde_json::Value;

use redexter_language::ground::{Name, StopReason, Trouble};
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

/// The limit that ended something, in JSON.
fn stopped(limit: Option<&Trouble>) -> Value {
    match limit {
        Some(Trouble::Stopped { reason, .. }) => Value::String(reason.to_string()),
        _ => Value::Null,
    }
}
