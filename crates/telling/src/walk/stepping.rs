//! Takes a strategy step by step: a [`PendingRun`] run holds the steps that were taken and finds those that follow.

use std::cell::RefCell;
use std::rc::Rc;

use super::control::StepControl;
use super::owner::WalkOwner;
use redexter_language::cost;
use redexter_language::ground::{Diagnostic, StopReason};
use redexter_language::term::{Program, Term};
use redexter_rewriting::rule::Reason;
use redexter_rewriting::strategy::{self, Execution, Outcome, Step, Stop, Strategy, Trace};

/// The measure by which `cheaper` judges a term.
pub const CHEAPER_MEASURE: strategy::WorkTestFactory = cost::cheaper_total;

/// A run of a strategy, as far as it is taken. Cheap to clone, so that one can go back in it: clones share one execution.
#[derive(Clone)]
pub struct PendingRun {
    execution: Rc<RefCell<Execution>>,
    /// The number of its steps that were taken.
    pub taken: usize,
}

/// Steps that were just taken.
pub struct TakenSteps {
    /// These steps alone.
    pub trace: Rc<Trace>,
    pub after: Program,
    /// The strategy has more to do.
    pub more: bool,
}

/// The reason why a run gives no more steps.
pub enum RunEnd {
    Failed(Reason),
    /// A limit ended the looking for the goal; nothing was taken.
    Unknown(StopReason),
    /// It would go on for ever.
    Looping(Diagnostic),
    Stopped(Box<Stop>),
}

impl PendingRun {
    /// A strategy of which nothing was taken; an error if it can't end.
    pub fn begin(strategy: &Strategy, start: &Program, owner: &dyn WalkOwner) -> Result<PendingRun, Diagnostic> {
        strategy::check_ends(strategy)?;
        strategy::lint(strategy, Some(start)).iter().for_each(|finding| owner.warn(finding));
        Ok(PendingRun { execution: Rc::new(RefCell::new(Execution::new(strategy, start, CHEAPER_MEASURE))), taken: 0 })
    }

    /// Whether all of its steps are taken.
    pub fn is_done(&self) -> bool {
        let execution = self.execution.borrow();
        matches!(execution.outcome(), Some(Outcome::Success(_))) && self.taken >= execution.steps().len()
    }

    /// Whether nothing can take back its first steps, so many of them.
    pub fn is_settled(&self, steps: usize) -> bool {
        self.execution.borrow().steps().len() >= steps
    }

    /// Frees the engine's state, which only going on needs: then the run begins anew, up to where it was.
    pub fn rest(&self) {
        self.execution.borrow_mut().rest();
    }

    /// Whether both are the same run.
    pub fn is_of(&self, other: &PendingRun) -> bool {
        Rc::ptr_eq(&self.execution, &other.execution)
    }

    /// The same run, so many steps earlier.
    pub fn back(self, steps: usize) -> PendingRun {
        PendingRun { taken: self.taken.saturating_sub(steps), ..self }
    }

    pub fn strategy(&self) -> Strategy {
        self.execution.borrow().strategy().clone()
    }

    /// The program that it began with.
    pub fn program(&self) -> Program {
        self.execution.borrow().program().clone()
    }

    /// The last step that was taken.
    pub fn last(&self) -> Option<Step> {
        self.taken.checked_sub(1).and_then(|last| self.execution.borrow().steps().get(last).cloned())
    }

    /// Takes steps as far as `control` says, or none where there is nothing to do, starting from the term that the last
    /// ones gave. One step more than wanted is looked for, which tells whether anything follows; a limit, or the end of
    /// a loop, may lie there.
    pub fn take(
        &mut self,
        control: &mut StepControl,
        now: &Program,
        owner: &dyn WalkOwner,
    ) -> Result<TakenSteps, RunEnd> {
        let mut execution = self.execution.borrow_mut();
        let (mut wanted, budget) = (self.taken, owner.budget());
        let was_open = execution.outcome().is_none();
        let mut stop = execution.advance(wanted.saturating_add(control.sure()).saturating_add(1), &budget).err();
        while !control.is_met() {
            // A goal may be asked of steps that are all known.
            budget.ask().map_err(RunEnd::Unknown)?;
            if stop.is_none() {
                stop = execution.advance(wanted.saturating_add(1), &budget).err();
            }
            let Some(next) = execution.steps().get(wanted) else {
                // More is wanted than there is: that the run ended first is seen below by `known < wanted`.
                wanted += 1;
                break;
            };
            if control.stops_before(next) {
                break;
            }
            wanted += 1;
        }
        if stop.is_none() {
            stop = execution.advance(wanted.saturating_add(1), &budget).err();
        }
        let known = execution.steps().len();
        let more = match (stop, execution.outcome()) {
            (Some(stop), _) if known < wanted || stop.reason == StopReason::Interrupted => {
                return Err(RunEnd::Stopped(stop));
            }
            (_, Some(Outcome::Failure(reason))) => return Err(RunEnd::Failed(reason.clone())),
            (_, Some(Outcome::Looping(cycle))) if known < wanted => return Err(RunEnd::Looping(cycle.diagnostic())),
            (_, Some(done @ Outcome::Success(_))) => {
                if was_open {
                    let warnings = done.warnings(&execution.program().term, execution.steps());
                    warnings.iter().for_each(|finding| owner.warn(finding));
                }
                wanted < known
            }
            _ => true,
        };
        if !more {
            control.end();
        }
        let steps = execution.steps()[self.taken..known.min(wanted)].to_vec();
        self.taken = known.min(wanted);
        let end = match execution.outcome() {
            Some(Outcome::Success(term)) if known <= wanted => Some(term.clone()),
            _ => None,
        };
        Ok(TakenSteps::of(steps, now, end, more))
    }

    /// The steps of a run that a limit ended, beyond those that were taken. Nothing is pending after them: what
    /// follows might have taken them back.
    pub fn beyond(&self, stop: &Stop, now: &Program) -> Option<TakenSteps> {
        let steps = stop.trace.steps.get(self.taken..).filter(|steps| !steps.is_empty())?;
        Some(TakenSteps::of(steps.to_vec(), now, Some(stop.term.clone()), false))
    }
}

impl TakenSteps {
    /// Steps from a term to another one, where that is known.
    fn of(steps: Vec<Step>, now: &Program, end: Option<Term>, more: bool) -> TakenSteps {
        let trace = Trace { start: now.term.clone(), steps };
        let replayed = || strategy::replay(&trace).unwrap_or_else(|_| now.term.clone());
        let term = end.unwrap_or_else(replayed);
        TakenSteps { trace: Rc::new(trace), after: now.with(term), more }
    }
}
