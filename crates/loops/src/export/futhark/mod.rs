//! Writes programs as Futhark source: one entry point each, for every size.
//!
//! The way: of a first-order program sums that select become sums at places (`selections`), sums of columns those of rows
//! (`rows`), `lower` makes Futhark's `code::FutharkExpr` of it, in which loops that carry no state are `reductions`, `entry`
//! puts the signature and what is checked around it, `text` writes it. The output stays inside what Futhark 0.25 and all later
//! versions share; sizes in types are names or literals, so that every size that is neither gets a name at the top of its
//! entry. Nothing here knows where a program comes from.

mod code;
mod entry;
mod flat;
mod lower;
mod names;
mod reductions;
mod rows;
mod selections;
mod sizes;
mod text;
mod variables;

use std::collections::BTreeSet;

use redexter_language::ground::{Diagnostic, Name, Trouble, code as codes};
use redexter_language::term::Program;

pub use entry::sizes_given;
pub use flat::parts;

/// Options of the export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FutharkOptions {
    /// Sums stay loops, so that they round as in the evaluator.
    pub sequential: bool,
}

/// One file with an entry point for each program. The errors have the code
/// [`NOT_EXPORTABLE`](redexter_language::ground::code::NOT_EXPORTABLE), one for each program that can't be exported.
///
/// It asks whether the text [goes on](redexter_language::ground::writing). Recursion goes as deep as the terms: run it where the
/// stack fits them.
pub fn futhark(entries: &[(Name, Program)], options: &FutharkOptions) -> Result<String, Trouble> {
    let mut scope = names::NameSupply::default();
    let mut texts = Vec::new();
    let mut wrong = Vec::new();
    let mut defined = BTreeSet::new();
    for (name, program) in entries {
        let own = scope.fresh_entry(name.as_str());
        match entry::entry(&own, program, options) {
            Ok(done) => {
                defined.extend(done.defined);
                texts.push(done.text);
            }
            Err(refusal) => wrong.push(
                Diagnostic::error(codes::NOT_EXPORTABLE, format!("`{name}` can't be exported: {}", refusal.reason))
                    .help(refusal.help),
            ),
        }
    }
    if !wrong.is_empty() {
        return Err(Trouble::Wrong(wrong));
    }
    let texts: Vec<String> = defined.into_iter().map(str::to_owned).chain(texts).collect();
    Ok(format!("-- Exported by redexter.\n\n{}", texts.join("\n")))
}
