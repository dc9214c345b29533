//! A strategy taken step by step: what was taken, and what is pending.

use std::rc::Rc;

use super::desk::Desk;
use crate::cost;
use crate::ground::{Diagnostic, StopReason, Trouble};
use crate::rule::Reason;
use crate::script::Host;
use crate::strategy::{self, Outcome, Strategy, Trace};
use crate::term::Program;

/// How `cheaper` judges a term.
pub const WORK: strategy::Work = cost::cheaper_total;

/// A strategy that has more to do. Cheap to clone, so that undo can bring it back.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The strategy.
    pub strategy: Strategy,
    /// The program that it began with.
    start: Program,
    /// The steps that are known: those taken, and perhaps some that follow.
    known: Rc<Trace>,
    /// Nothing follows those that are known.
    whole: bool,
    /// How many were taken.
    pub taken: usize,
}

/// Steps that were just taken.
pub struct Taken {
    /// These steps alone.
    pub trace: Rc<Trace>,
    /// The program after them.
    pub after: Program,
    /// The strategy has more to do.
    pub more: bool,
}

/// What taking steps came to.
pub enum Progress {
    /// Some steps, or none where there was nothing to do.
    Taken(Taken),
    /// The strategy failed.
    Failed(Reason),
}

impl Pending {
    /// A strategy of which nothing was taken; an error if it can't end.
    pub fn begin(strategy: Strategy, start: Program, desk: &Desk) -> Result<Pending, Diagnostic> {
        strategy::check_ends(&strategy)?;
        strategy::lint(&strategy, Some(&start)).iter().for_each(|finding| desk.warn(finding));
        let known = Rc::new(Trace { start: start.term.clone(), steps: Vec::new() });
        Ok(Pending { strategy, start, known, whole: false, taken: 0 })
    }

    /// Takes up to `count` steps, starting from the term that the last ones gave.
    pub fn take(&mut self, count: usize, now: &Program, desk: &Desk) -> Result<Progress, Trouble> {
        let wanted = self.taken.saturating_add(count);
        if !self.whole
            && self.known.steps.len() <= wanted
            && let Some(reason) = self.look_beyond(wanted, desk)?
        {
            return Ok(Progress::Failed(reason));
        }
        let end = self.known.steps.len().min(wanted);
        let steps = self.known.steps[self.taken..end].to_vec();
        let trace = Trace { start: now.term.clone(), steps };
        let last = strategy::replay(&trace).unwrap_or_else(|_| now.term.clone());
        let after = Program { term: last, bounds: self.start.bounds.clone() };
        self.taken = end;
        let more = !self.whole || end < self.known.steps.len();
        Ok(Progress::Taken(Taken { trace: Rc::new(trace), after, more }))
    }

    /// Gets to know one step more than wanted, which tells whether anything follows. Where a limit, or the end of
    /// a loop, lies just there, the wanted ones will do. The reason if the strategy fails.
    fn look_beyond(&mut self, wanted: usize, desk: &Desk) -> Result<Option<Reason>, Trouble> {
        match self.look(wanted.saturating_add(1), desk) {
            Err(trouble) if trouble == StopReason::Interrupted.into() || wanted == usize::MAX => Err(trouble),
            Err(_) if self.known.steps.len() >= wanted => Ok(None),
            Err(_) => self.look(wanted, desk),
            known => known,
        }
    }

    /// Runs the strategy from its start until `wanted` steps are settled; the reason if it fails.
    fn look(&mut self, wanted: usize, desk: &Desk) -> Result<Option<Reason>, Trouble> {
        let budget = desk.budget();
        let run = strategy::run_steps(&self.strategy, &self.start, &budget, WORK, wanted)?;
        run.warnings().iter().for_each(|finding| desk.warn(finding));
        match run.outcome {
            Outcome::Failure(reason) => return Ok(Some(reason)),
            Outcome::Looping(cycle) => return Err(cycle.diagnostic().into()),
            Outcome::Success(_) => self.whole = true,
            Outcome::Paused(_) => {}
        }
        self.known = Rc::new(run.trace);
        Ok(None)
    }
}
