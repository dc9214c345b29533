//! Describes what is asked about (`WhyCase`): a derivation, the strategies that it is by, and the rules that there are.

use std::ops::Range;
use std::rc::Rc;

use super::origin::OriginFinder;
use crate::derivation::Derivation;
use crate::redex::RuleFamily;
use crate::strategy::{Execution, RunNotes, Strategy};
use redexter_language::cost;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::Program;

/// A derivation and what it is by.
pub struct WhyCase<'a> {
    /// Its steps.
    pub derivation: &'a Derivation,
    /// Its runs in order; at the end perhaps one that took no step.
    pub runs: &'a [PastRun],
    /// The current term, after so many steps.
    pub now: (&'a Program, usize),
    /// The rules that there are.
    pub all: &'a [RuleFamily],
    /// What this may take.
    pub budget: &'a Budget,
}

/// A run of a strategy.
#[derive(Clone)]
pub struct PastRun {
    /// The strategy.
    pub strategy: Strategy,
    /// What it began with.
    pub start: Program,
    /// Its steps, less one.
    pub span: Range<usize>,
    /// How it ended.
    pub end: PastRunEnd,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PastRunEnd {
    /// By itself.
    Done,
    /// It has more to do.
    Pending,
    /// It failed, and what it had done was given up.
    Failed,
    /// It went on; the steps behind were taken back.
    Back,
    /// A limit ended it.
    Stopped {
        /// The limit.
        reason: StopReason,
        /// The named strategies that were running, outermost first.
        within: Rc<[Rc<str>]>,
    },
}

impl PastRun {
    /// Takes the run again as far as it was taken, and notes what its steps don't show.
    pub fn again(&self, budget: &Budget) -> Result<RunNotes, StopReason> {
        let mut execution = Execution::new(&self.strategy, &self.start, cost::cheaper_total);
        execution.note();
        let wanted = if self.is_done() { usize::MAX } else { self.span.len() };
        match execution.advance(wanted, &budget.fresh()) {
            Err(stop) if stop.reason == StopReason::Interrupted => Err(stop.reason),
            _ => Ok(execution.noted()),
        }
    }

    /// Whether nothing is left of it to do.
    pub fn is_done(&self) -> bool {
        self.end == PastRunEnd::Done
    }
}

impl WhyCase<'_> {
    /// The term after so many steps, with what is known of its sizes.
    pub fn program(&self, after: usize) -> Program {
        let (now, at) = &self.now;
        if after == *at { (*now).clone() } else { now.with(self.derivation.term(after)) }
    }

    /// Which steps made redexes.
    pub(super) fn origins(&self) -> OriginFinder<'_> {
        OriginFinder::new(self.derivation, &self.now.0.bounds, self.budget)
    }

    /// The address of a stage of the derivation; a run that has no name needs none.
    pub fn address(&self, stage: usize) -> String {
        let stages = self.derivation.stages();
        let around = stages.around(stages.stage(stage).span().start);
        let outer = around.into_iter().take_while(|outer| *outer != stage).map(|outer| stages.title(outer));
        let named = outer.filter(|title| !title.contains(char::is_whitespace));
        named.chain([stages.title(stage)]).collect::<Vec<String>>().join("/")
    }

    /// The run that led to the current term, as far as it did, or that a limit ended or that took no step.
    pub fn run_now(&self) -> Option<PastRun> {
        let (_, now) = self.now;
        let is_stopped = |run: &PastRun| matches!(run.end, PastRunEnd::Stopped { .. });
        let led = |run: &&PastRun| run.span.start < now || run.span.is_empty() || is_stopped(run);
        let mut run = self.runs.iter().rev().find(led)?.clone();
        if run.span.end > now && !is_stopped(&run) {
            run.span.end = now;
            if run.end == PastRunEnd::Done {
                run.end = PastRunEnd::Back;
            }
        }
        Some(run)
    }

    /// The run that a step, less one, belongs to.
    pub fn run_of(&self, step: usize) -> Option<&PastRun> {
        self.runs.iter().find(|run| run.span.contains(&step))
    }
}
