//! What a run comes to.

use crate::ground::Diagnostic;
use crate::rule::Reason;
use crate::term::{Bounds, Term};

use super::cycle::Cycle;
use super::lint::growth;
use super::trace::Trace;

/// The symbolic work of a term, by which `cheaper` judges.
pub type Work = fn(&Term, &Bounds) -> u128;

/// What a strategy came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The term that it gives.
    Success(Term),
    /// It failed, and why.
    Failure(Reason),
    /// It came back to a term that it had before, and would do so for ever; the trace has the steps so far.
    Looping(Cycle),
}

/// An outcome with the steps that led to it; a failure has none.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the strategy came to.
    pub outcome: Outcome,
    /// How.
    pub trace: Trace,
}

impl Outcome {
    /// What is odd about a run from this term that ended so.
    pub fn warnings(&self, start: &Term) -> Vec<Diagnostic> {
        match self {
            Outcome::Success(term) => growth(start, term).into_iter().collect(),
            Outcome::Failure(_) | Outcome::Looping(_) => Vec::new(),
        }
    }
}

impl Run {
    /// What is odd about how it went.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.outcome.warnings(&self.trace.start)
    }
}
