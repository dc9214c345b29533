//! Reports loops that show while a repetition runs: a `Cycle` leads back to a term that it had before, and so would for ever.

use redexter_language::ground::{Diagnostic, code, text::listed};
use redexter_language::term::Term;

use super::data::Strategy;
use super::trace::{Step, Trace};
use super::unary::Unary;

/// A way from a term back to itself.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The repetition that goes round.
    pub strategy: Strategy,
    /// The steps, from the term that the repetition works on; their paths begin there.
    pub trace: Trace,
}

/// So many steps of a loop are shown.
const MAX_SHOWN_STEPS: usize = 8;

impl Cycle {
    pub(super) fn new(strategy: &Strategy, start: &Term, steps: &[Step], depth: usize) -> Cycle {
        let inside = |step: &Step| {
            let ends = (step.redex.clone(), step.contractum.clone());
            Step::new(step.rule(), step.path().0[depth..].iter().copied(), ends, step.within())
        };
        let trace = Trace { start: start.clone(), steps: steps.iter().map(inside).collect() };
        Cycle { strategy: strategy.clone(), trace }
    }

    /// The error that tells the user of it.
    pub fn diagnostic(&self) -> Diagnostic {
        let Cycle { strategy, trace } = self;
        let forced = strategy.under(Unary::Force);
        let let_go = format!("`{forced}` runs until a limit");
        match trace.steps.len() {
            0 => {
                Diagnostic::error(code::LOOP, format!("`{strategy}` never ends: a round succeeds and changes nothing"))
                    .help("repeat something that fails when it is done")
            }
            1 => Diagnostic::error(code::LOOP, format!("`{strategy}` never ends: a step leaves the term as it was"))
                .help(self.lines()),
            n => {
                Diagnostic::error(code::LOOP, format!("`{strategy}` never ends: {n} steps lead back to the same term"))
                    .help(self.lines())
            }
        }
        .help(let_go)
    }

    /// The steps with their places: `letSwap at body, letSwap at body`.
    fn lines(&self) -> String {
        let shown =
            self.trace.rewrites().take(MAX_SHOWN_STEPS).map(|(step, before, _)| match step.path().display(&before) {
                root if root.is_empty() => step.rule().to_string(),
                place => format!("{} at {place}", step.rule()),
            });
        let shown = listed(shown);
        let more = match self.trace.steps.len().saturating_sub(MAX_SHOWN_STEPS) {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        format!("the way round: {shown}{more}")
    }
}
