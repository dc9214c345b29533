//! A strategy taken step by step: what was taken, and what is pending.

use std::rc::Rc;

use super::desk::Desk;
use crate::cost;
use crate::ground::{Diagnostic, StopReason};
use crate::rule::Reason;
use crate::script::Host;
use crate::strategy::{self, Outcome, Stop, Strategy, Trace};
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

/// Why there are no more steps.
pub enum Ended {
    /// The strategy failed.
    Failed(Reason),
    /// It would go on for ever.
    Looping(Diagnostic),
    /// A limit ended it.
    Stopped(Box<Stop>),
}

impl Pending {
    /// A strategy of which nothing was taken; an error if it can't end.
    pub fn begin(strategy: Strategy, start: Program, desk: &Desk) -> Result<Pending, Diagnostic> {
        strategy::check_ends(&strategy)?;
        strategy::lint(&strategy, Some(&start)).iter().for_each(|finding| desk.warn(finding));
        let known = Rc::new(Trace { start: start.term.clone(), steps: Vec::new() });
        Ok(Pending { strategy, start, known, whole: false, taken: 0 })
    }

    /// Takes up to `count` steps, or none where there is nothing to do, starting from the term that the last ones gave.
    pub fn take(&mut self, count: usize, now: &Program, desk: &Desk) -> Result<Taken, Ended> {
        let wanted = self.taken.saturating_add(count);
        if !self.whole && self.known.steps.len() <= wanted {
            self.look_beyond(wanted, desk)?;
        }
        let end = self.known.steps.len().min(wanted);
        let steps = self.known.steps[self.taken..end].to_vec();
        let trace = Trace { start: now.term.clone(), steps };
        let last = strategy::replay(&trace).unwrap_or_else(|_| now.term.clone());
        let after = Program { term: last, bounds: self.start.bounds.clone() };
        self.taken = end;
        let more = !self.whole || end < self.known.steps.len();
        Ok(Taken { trace: Rc::new(trace), after, more })
    }

    /// The steps of a run that a limit ended, beyond those that were taken. Nothing is pending after them: what
    /// follows might have taken them back.
    pub fn beyond(&self, stop: &Stop, now: &Program) -> Option<Taken> {
        let steps = stop.trace.steps.get(self.taken..).filter(|steps| !steps.is_empty())?.to_vec();
        let trace = Trace { start: now.term.clone(), steps };
        let term = strategy::replay(&trace).ok()?;
        let after = Program { term, bounds: self.start.bounds.clone() };
        Some(Taken { trace: Rc::new(trace), after, more: false })
    }

    /// Gets to know one step more than wanted, which tells whether anything follows. Where a limit, or the end of
    /// a loop, lies just there, the wanted ones will do.
    fn look_beyond(&mut self, wanted: usize, desk: &Desk) -> Result<(), Ended> {
        match self.look(wanted.saturating_add(1), desk) {
            Err(Ended::Stopped(stop)) if stop.reason == StopReason::Interrupted => Err(Ended::Stopped(stop)),
            Err(Ended::Stopped(_) | Ended::Looping(_)) if self.known.steps.len() >= wanted => Ok(()),
            Err(ended @ (Ended::Stopped(_) | Ended::Looping(_))) if wanted == usize::MAX => Err(ended),
            Err(Ended::Stopped(stop)) => self.look(wanted, desk).map_err(|less| match less {
                Ended::Stopped(_) => Ended::Stopped(stop),
                less => less,
            }),
            Err(Ended::Looping(_)) => self.look(wanted, desk),
            known => known,
        }
    }

    /// Runs the strategy from its start until `wanted` steps are settled.
    fn look(&mut self, wanted: usize, desk: &Desk) -> Result<(), Ended> {
        let budget = desk.budget();
        let run = match wanted {
            usize::MAX => strategy::run(&self.strategy, &self.start, &budget, WORK),
            wanted => strategy::run_steps(&self.strategy, &self.start, &budget, WORK, wanted),
        };
        let run = run.map_err(Ended::Stopped)?;
        run.warnings().iter().for_each(|finding| desk.warn(finding));
        match run.outcome {
            Outcome::Failure(reason) => return Err(Ended::Failed(reason)),
            Outcome::Looping(cycle) => return Err(Ended::Looping(cycle.diagnostic())),
            Outcome::Success(_) => self.whole = true,
            Outcome::Paused(_) => {}
        }
        self.known = Rc::new(run.trace);
        Ok(())
    }
}
