//! Writes derivations that are handed out: as JSON that a viewer lays out, as pages in one file that need nothing else, as notes
//! in Markdown and as papers in LaTeX.
//!
//! It knows derivations and how things look, and nothing of sessions, files or commands.

mod comparison;
mod derivation;
mod facts;
pub mod frame;
mod html;
mod latex;
mod markdown;
mod notes;
mod sheet;
mod tex;
mod tree;

pub use comparison::comparison;
pub use derivation::{Told, derivation};
pub use sheet::{letter, sheet};

use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, StopReason};
use redexter_rewriting::derivation::Derivation;

/// A derivation with the texts that accompany it.
pub type Way<'a> = (&'a Told, &'a Derivation);

/// The forms in which a derivation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A page in one file that needs nothing else.
    Page,
    /// Notes in Markdown.
    Markdown,
    /// A document in LaTeX.
    Latex,
}

impl Form {
    /// The beginning of each text of this form.
    pub const fn beginning(self) -> &'static str {
        match self {
            Form::Page => frame::BEGINNING,
            Form::Markdown => markdown::BEGINNING,
            Form::Latex => latex::BEGINNING,
        }
    }

    /// Writes a derivation. A page has another one of the same term beside it, if there is one; in other forms the first is
    /// told.
    pub fn write(self, way: Way, beside: Option<Way>, budget: &Budget) -> Result<String, StopReason> {
        within(budget.fresh(), || match (self, beside) {
            (Form::Page, None) => html::page(way, budget),
            (Form::Page, Some(beside)) => html::pages([way, beside], budget),
            (Form::Markdown, _) => markdown::markdown(way, budget),
            (Form::Latex, _) => latex::latex(way, budget),
        })?
    }
}
