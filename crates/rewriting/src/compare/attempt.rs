//! Runs a strategy once, whatever it comes to (`StrategyAttempt`), and counts what that takes.

use std::cell::Cell;
use std::rc::Rc;

use crate::rule::Reason;
use crate::strategy::{self, Execution, Outcome, Strategy, Trace, check_ends};
use redexter_language::cost;
use redexter_language::ground::{Budget, Diagnostic, StopReason, Trouble};
use redexter_language::term::{Program, Term};

/// The program that strategies are run on, the place in it, and the limits.
pub struct RunSubject<'a> {
    /// The program.
    pub program: &'a Program,
    /// Where in it, as `at` takes it; empty for the whole.
    pub place: &'a str,
    /// The limits of each run.
    pub budget: &'a Budget,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum AttemptEnd {
    /// With this term.
    Done(Term),
    /// It failed.
    Failed(Reason),
    /// It would go on for ever.
    Endless(Diagnostic),
    /// A limit ended it.
    Stopped(StopReason),
}

/// The effort of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunEffort {
    /// Rewrites and unfoldings, those that came to nothing among them.
    pub steps: u64,
    /// How often its watch was asked, which is once in so many operations of the engine: looking for redexes counts.
    pub asked: u64,
}

/// Limits of a run beside those of its subject.
pub(super) struct RunLimits {
    /// Steps of its trace, as far as these are settled.
    pub(super) steps: usize,
    /// Nodes of a term.
    pub(super) size: u64,
    /// Everything.
    pub(super) used: RunEffort,
}

/// A run.
pub struct StrategyAttempt {
    /// How it ended.
    pub end: AttemptEnd,
    /// Its steps, of a failure none.
    pub trace: Trace,
    /// What it took.
    pub used: RunEffort,
    /// It has more steps than it may.
    pub(super) is_cut: bool,
    /// What ended it ends everything.
    pub trouble: Option<Trouble>,
}

impl RunEffort {
    /// Both together.
    pub(super) fn plus(self, other: RunEffort) -> RunEffort {
        RunEffort { steps: self.steps + other.steps, asked: self.asked + other.asked }
    }
}

impl RunSubject<'_> {
    /// Runs a strategy within the limits.
    pub fn attempt(&self, strategy: &Strategy, start: &Term) -> StrategyAttempt {
        self.within(
            strategy,
            start,
            &RunLimits { steps: usize::MAX, size: u64::MAX, used: RunEffort { steps: u64::MAX, asked: u64::MAX } },
        )
    }

    /// Runs a strategy within the limits, which takes so much at most.
    pub(super) fn within(&self, strategy: &Strategy, start: &Term, most: &RunLimits) -> StrategyAttempt {
        let strategy = if self.place.is_empty() { strategy.clone() } else { strategy.at(self.place) };
        let asked = Rc::new(Cell::new(0));
        let budget = self.counted(most, asked.clone());
        let ended = |end, steps, steps_used, trouble| {
            let used = RunEffort { steps: steps_used, asked: asked.get() };
            StrategyAttempt { end, trace: Trace { start: start.clone(), steps }, used, is_cut: false, trouble }
        };
        // Asked here, because a short run may never ask.
        if let Err(reason) = self.budget.ask() {
            return ended(AttemptEnd::Stopped(reason.clone()), Vec::new(), 0, Some(reason.into()));
        }
        if let Err(finding) = check_ends(&strategy) {
            return ended(AttemptEnd::Endless(finding), Vec::new(), 0, None);
        }
        let mut execution = Execution::new(&strategy, &self.program.with(start.clone()), WORK);
        // One step more than it may take is asked for, so that a run which is cut can be told from one that ends there.
        if let Err(stop) = execution.advance(most.steps.saturating_add(1), &budget) {
            let trouble = is_for_all(&stop.reason).then(|| Trouble::from(&*stop));
            return ended(AttemptEnd::Stopped(stop.reason), stop.trace.steps, execution.used(), trouble);
        }
        let is_cut = execution.outcome().is_none();
        let end = match execution.outcome() {
            Some(Outcome::Success(term)) => AttemptEnd::Done(term.clone()),
            Some(Outcome::Looping(cycle)) => AttemptEnd::Endless(cycle.diagnostic()),
            Some(Outcome::Failure(reason)) => AttemptEnd::Failed(reason.clone()),
            None => AttemptEnd::Failed(Reason::native("it did not end")),
        };
        StrategyAttempt { is_cut, ..ended(end, execution.steps().to_vec(), execution.used(), None) }
    }

    /// A budget that counts how often its watch is asked, and ends what asks or takes too much.
    fn counted(&self, most: &RunLimits, asked: Rc<Cell<u64>>) -> Budget {
        let mut budget = self.budget.asked_at_most(most.used.asked, asked);
        budget.limits.max_steps = budget.limits.max_steps.min(most.used.steps);
        budget.limits.max_size = budget.limits.max_size.min(most.size);
        budget
    }
}

/// How `cheaper` judges.
const WORK: strategy::WorkTestFactory = cost::cheaper_total;

/// Whether what ended one run ends those that would follow.
fn is_for_all(reason: &StopReason) -> bool {
    matches!(reason, StopReason::Interrupted | StopReason::Time(_) | StopReason::Memory(_))
}
