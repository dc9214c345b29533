//! Derivations to be handed out: as data that whoever shows them lays out, as pages in one file that need nothing else, as
//! notes and papers.
//!
//! It knows derivations and how things look, and nothing of sessions, files or commands.

mod derivation;
pub mod frame;
mod html;
mod latex;
mod markdown;
mod notes;
mod sheet;
mod tex;

pub use derivation::{Told, derivation};
pub use html::{comparison, page};
pub use latex::latex;
pub use markdown::markdown;
pub use sheet::{letter, sheet};

use crate::derivation::Derivation;
use crate::ground::writing::within;
use crate::ground::{Budget, StopReason};

/// What a derivation is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// [`page`]
    Page,
    /// [`markdown`]
    Markdown,
    /// [`latex`]
    Latex,
}

impl Form {
    /// What each text of this form begins with.
    pub const fn beginning(self) -> &'static str {
        match self {
            Form::Page => frame::BEGINNING,
            Form::Markdown => markdown::BEGINNING,
            Form::Latex => latex::BEGINNING,
        }
    }

    /// Writes a derivation.
    pub fn write(self, told: &Told, of: &Derivation, budget: &Budget) -> Result<String, StopReason> {
        match self {
            Form::Page => page(told, of, budget),
            Form::Markdown => within(budget.fresh(), || markdown(told, of, budget))?,
            Form::Latex => within(budget.fresh(), || latex(told, of, budget))?,
        }
    }
}
