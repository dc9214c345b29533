//! Describes runs: the `Outcome` that a run came to, or the term where a limit ended it (`Stop`), and what kept it busy.

use std::rc::Rc;

use crate::rule::{Reason, Rule};
use redexter_language::cost::WorkChange;
use redexter_language::ground::{Diagnostic, StopReason, Trouble, text::shortened};
use redexter_language::term::{SizeBounds, Term};

use super::cycle::Cycle;
use super::lint::growth;
use super::opposites::taken_for_numbers;
use super::period::{in_words, round};
use super::trace::{Step, Trace, fired};

/// Tells how work changes from the first term to the second one.
pub type WorkTest = Box<dyn FnMut(&Term, &Term, &SizeBounds) -> WorkChange>;

/// A new measure, by which `cheaper` judges all along a run.
pub type WorkTestFactory = fn() -> WorkTest;

/// The outcome of a strategy.
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
pub struct StrategyRun {
    /// The outcome of the strategy.
    pub outcome: Outcome,
    /// The steps that led to it.
    pub trace: Trace,
}

impl Outcome {
    /// Warnings about a run from this term that ended so, by these steps.
    pub fn warnings(&self, start: &Term, steps: &[Step]) -> Vec<Diagnostic> {
        match self {
            Outcome::Success(term) => {
                growth(start, term).into_iter().chain(taken_for_numbers(start, steps, term)).collect()
            }
            Outcome::Failure(_) | Outcome::Looping(_) => Vec::new(),
        }
    }
}

impl StrategyRun {
    /// Warnings about how it went.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.outcome.warnings(&self.trace.start, &self.trace.steps)
    }
}

/// So many of the last steps show which rule went on and on.
const RECENT: usize = 1_000;

/// So many strategies within one another are named, the innermost ones and the outermost.
const MAX_NAMED_STAGES: usize = 4;

/// So much is shown of the name of a strategy with its arguments.
const MAX_NAME_CHARS: usize = 60;

/// A run that a limit ended: what it had come to.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The limit.
    pub reason: StopReason,
    /// The term then. Each step keeps what a term means, so that it is as right as the first one.
    pub term: Term,
    /// How it came about.
    pub trace: Trace,
    /// The named strategies that were running, outermost first.
    pub within: Rc<[Rc<str>]>,
}

impl Stop {
    /// Whether the term then costs no more than the first one.
    pub fn is_no_worse(&self, bounds: &SizeBounds, work: WorkTestFactory) -> bool {
        !work()(&self.trace.start, &self.term, bounds).is_rise()
    }

    /// The rule that rewrote most often in the last steps, and how often: among the last thousand, where what went
    /// on and on shows.
    pub fn busiest(&self) -> Option<(&Rule, usize)> {
        let recent = self.trace.steps.iter().rev().take(RECENT);
        fired(recent).into_iter().reduce(|most, next| if next.1 > most.1 { next } else { most })
    }

    /// The steps of a round with which the run ended, where the same few rules came again and again, and by how many nodes the
    /// term is larger after each.
    pub fn round(&self) -> Option<(&[Step], i64)> {
        round(&self.trace.steps)
    }

    /// The way of such a round, in words.
    fn way_round(&self) -> Option<String> {
        Some(format!("at the end it went round: {}, and `:ends` looks for why", in_words(self.round()?)))
    }

    /// The stage and the rule to look at.
    pub fn help(&self) -> Vec<String> {
        let busiest = match (self.busiest(), self.trace.steps.len()) {
            (None, _) => "no rule rewrote anything".to_owned(),
            (Some((rule, _)), 1) => format!("{} rewrote once", rule.quoted()),
            (Some((rule, count)), all @ ..=RECENT) => format!("{} rewrote {count} of {all} times", rule.quoted()),
            (Some((rule, count)), _) => format!("{} rewrote {count} of the last {RECENT} times", rule.quoted()),
        };
        self.stage().into_iter().chain([busiest]).chain(self.way_round()).collect()
    }

    /// `it was in hoist of fastGradient`.
    fn stage(&self) -> Option<String> {
        let mut names: Vec<String> =
            self.within.iter().rev().map(|name| format!("`{}`", shortened(name, MAX_NAME_CHARS))).collect();
        if names.len() > MAX_NAMED_STAGES {
            names.splice(MAX_NAMED_STAGES - 1..names.len() - 1, ["…".to_owned()]);
        }
        (!names.is_empty()).then(|| format!("it was in {}", names.join(" of ")))
    }
}

impl From<Box<Stop>> for StopReason {
    fn from(stop: Box<Stop>) -> StopReason {
        stop.reason
    }
}

impl From<&Stop> for Trouble {
    fn from(stop: &Stop) -> Trouble {
        Trouble::Stopped { reason: stop.reason.clone(), help: stop.help() }
    }
}

impl From<Box<Stop>> for Trouble {
    fn from(stop: Box<Stop>) -> Trouble {
        Trouble::from(&*stop)
    }
}
