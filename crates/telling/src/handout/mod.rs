//! Writes derivations that are handed out: as JSON that a viewer lays out, as pages in one file that need nothing else, as notes
//! in Markdown, as papers in LaTeX, and as JSON for other programs.
//!
//! It knows derivations and how things look, and nothing of sessions, files or commands.

mod comparison;
mod derivation;
mod facts;
pub mod frame;
mod html;
mod json;
mod latex;
mod markdown;
mod notes;
mod patched_block;
mod sheet;
mod tex;

pub use comparison::comparison;
pub use derivation::{HandoutInfo, HandoutPart, TitledDerivation, derivation};
pub use latex::of_term as latex_of_term;
pub use sheet::sheet;

use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, StopReason};

/// The forms in which a derivation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoutFormat {
    /// A page in one file that needs nothing else.
    Page,
    /// Notes in Markdown.
    Markdown,
    /// A document in LaTeX.
    Latex,
    /// JSON for other programs.
    Json,
}

impl HandoutFormat {
    /// The beginning of each text of this form.
    pub const fn beginning(self) -> &'static str {
        match self {
            HandoutFormat::Page => frame::BEGINNING,
            HandoutFormat::Markdown => markdown::BEGINNING,
            HandoutFormat::Latex => latex::BEGINNING,
            HandoutFormat::Json => json::BEGINNING,
        }
    }

    /// How names of files of this form end.
    pub const fn extension(self) -> &'static str {
        match self {
            HandoutFormat::Page => "html",
            HandoutFormat::Markdown => "md",
            HandoutFormat::Latex => "tex",
            HandoutFormat::Json => "json",
        }
    }

    /// Writes a derivation. A page has another one of the same term beside it, if there is one; in other forms the first is
    /// told.
    pub fn write(
        self,
        way: TitledDerivation,
        beside: Option<TitledDerivation>,
        budget: &Budget,
    ) -> Result<String, StopReason> {
        within(budget.fresh(), || match (self, beside) {
            (HandoutFormat::Page, None) => html::page(way, budget),
            (HandoutFormat::Page, Some(beside)) => html::pages([way, beside], budget),
            (HandoutFormat::Markdown, _) => markdown::markdown(way, budget),
            (HandoutFormat::Latex, _) => latex::latex(way, budget),
            (HandoutFormat::Json, _) => json::json(way, budget),
        })?
    }
}
