//! Takes steps: along the line of the history as far as it knows them, then beyond its end. Takes them back, too.

use std::rc::Rc;

use super::answer::{FailedRun, FocusedSubterm, RunRemainder, StoppedRun, WalkAnswer, WalkRun};
use super::control::{StepControl, StepGoal};
use super::marks::TrackedPath;
use super::state::{Arrival, HistoryState};
use super::stepping::{CHEAPER_MEASURE, PendingRun, RunEnd, TakenSteps};
use super::{Walk, WalkOwner};
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::Program;
use redexter_rewriting::strategy::{Stop, Strategy, Trace};
use redexter_rewriting::why::PastRunEnd;

/// The most runs with more to do that keep their engine, to go on from where they are. An older one begins anew, up to there,
/// when it goes on.
const MAX_AWAKE_RUNS: usize = 8;

impl Walk {
    /// Runs a strategy on the subterm in focus, to its end or to a breakpoint.
    pub fn run(&mut self, strategy: &Strategy, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        self.in_focus(strategy, StepGoal::All, owner)
    }

    /// Takes a strategy's first rewrite on the subterm in focus; the rest is pending.
    pub fn step_into(&mut self, strategy: &Strategy, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        self.in_focus(strategy, StepGoal::Steps(1), owner)
    }

    fn in_focus(&mut self, strategy: &Strategy, goal: StepGoal, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let strategy = self.at_focus(strategy)?;
        self.begin(&strategy, goal, owner)
    }

    /// The strategy for the whole term that applies this one to the subterm in focus.
    pub fn at_focus(&self, strategy: &Strategy) -> Result<Strategy, Trouble> {
        let (now, focus) = (self.current()?, self.history.focus());
        Ok(match focus.0.is_empty() {
            true => strategy.clone(),
            false => strategy.at(&focus.display(&now.term)),
        })
    }

    /// Takes steps of a strategy on the whole term.
    pub fn begin(&mut self, strategy: &Strategy, goal: StepGoal, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let pending = PendingRun::begin(strategy, self.current()?, owner)?;
        self.take(pending, goal, false, owner)
    }

    /// Goes on with what is pending.
    pub fn go_on(&mut self, goal: StepGoal, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let now = self.current()?;
        if let Some(pending) = self.history.going_on() {
            return self.take(pending, goal, true, owner);
        }
        match &self.last {
            Some(last) if last.rest == RunRemainder::None && last.after == *now => {
                Ok(WalkAnswer::Finished { strategy: last.strategy.clone(), taken: last.taken() })
            }
            Some(last) if last.rest == RunRemainder::Unknown && last.after == *now => {
                let again = format!("a limit ended `{}`: run it again to go on from here", last.strategy);
                Err(nothing_pending().help(again).into())
            }
            _ => Err(nothing_pending().into()),
        }
    }

    /// Takes steps and makes the term after them current. Where that fails, nothing changes.
    fn take(
        &mut self,
        mut pending: PendingRun,
        goal: StepGoal,
        goes_on: bool,
        owner: &dyn WalkOwner,
    ) -> Result<WalkAnswer, Trouble> {
        let before = self.current()?.clone();
        let (strategy, earlier) = (pending.strategy(), pending.taken);
        let (name, last, at) = (strategy.to_string(), pending.last(), self.history.taken());
        (self.ended, self.stray) = (None, None);
        let mut control = StepControl::new(goal, &self.breakpoints, &name, last.as_ref(), (&before.term, at), goes_on);
        let taken = match pending.take(&mut control, &before, owner) {
            Ok(taken) => taken,
            Err(RunEnd::Looping(finding)) => return Err(finding.into()),
            Err(RunEnd::Unknown(reason)) => {
                let trouble = Trouble::Stopped { reason, help: Vec::new() };
                return Ok(WalkAnswer::Stopped(StoppedRun {
                    trouble: trouble.help("the term is as it was"),
                    run: None,
                }));
            }
            Err(RunEnd::Stopped(stop)) => {
                let answer = self.stopped(&stop, &pending, before);
                let within = stop.within.clone();
                self.ended_with(&pending, PastRunEnd::Stopped { reason: stop.reason.clone(), within });
                return Ok(answer);
            }
            Err(RunEnd::Failed(reason)) => {
                if earlier == 0 {
                    self.ended_with(&pending, PastRunEnd::Failed);
                }
                let (remedy, reason) = (strategy.remedy(), reason.to_string());
                let strategy = strategy.to_string();
                return Ok(WalkAnswer::Failed(FailedRun { strategy, reason, remedy, taken: earlier }));
            }
        };
        let rest = if taken.more { RunRemainder::Pending } else { RunRemainder::None };
        let halt = control.halt;
        self.keep_awake(&pending);
        let mut run = WalkRun { halt, ..self.run_of(&strategy, before, &taken, earlier, rest) };
        if !taken.trace.steps.is_empty() {
            run.focus = self.arrive(taken, (&pending, earlier), Some(pending.clone()), true)?;
        } else {
            run.focus = self.focus()?;
            if !taken.more && goes_on {
                self.history.drop_pending();
            } else if earlier == 0 {
                if !taken.more {
                    run.discarded = self.ended_without_steps(&pending, owner);
                }
                self.history.begin(pending);
            }
        }
        self.last = Some(run.clone());
        Ok(WalkAnswer::Run(run))
    }

    /// A limit ended a strategy: the term so far becomes the current one, unless that makes it worse.
    fn stopped(&mut self, stop: &Stop, pending: &PendingRun, before: Program) -> WalkAnswer {
        let (strategy, earlier) = (pending.strategy(), pending.taken);
        let trouble = Trouble::from(stop);
        let Some(taken) = pending.beyond(stop, &before) else {
            return WalkAnswer::Stopped(StoppedRun { trouble: trouble.help("the term is as it was"), run: None });
        };
        let mut run = self.run_of(&strategy, before.clone(), &taken, earlier, RunRemainder::Unknown);
        self.last = Some(run.clone());
        self.stray = Some(run.clone());
        // The measure says whether the second term costs more.
        if CHEAPER_MEASURE()(&before.term, &taken.after.term, &before.bounds) {
            let kept = "the term is as it was: the term so far takes more work; `:trace` shows the steps to it";
            return WalkAnswer::Stopped(StoppedRun { trouble: trouble.help(kept), run: None });
        }
        let is_settled = pending.is_settled(earlier + taken.trace.steps.len());
        match self.arrive(taken, (pending, earlier), None, is_settled) {
            Ok(focus) => run.focus = focus,
            Err(trouble) => return WalkAnswer::Stopped(StoppedRun { trouble, run: None }),
        }
        let so_far = "the current term is the one so far, not in normal form; `:undo` takes it back";
        WalkAnswer::Stopped(StoppedRun { trouble: trouble.help(so_far), run: Some(run) })
    }

    /// Makes the term after these steps of a run current: along the line as far as they are on it, then behind it. `left`
    /// is what remains of the run, of which `earlier` were taken before. The focus follows its subterm; where it is then.
    fn arrive(
        &mut self,
        taken: TakenSteps,
        (run, earlier): (&PendingRun, usize),
        left: Option<PendingRun>,
        is_settled: bool,
    ) -> Result<Option<Box<FocusedSubterm>>, Trouble> {
        self.stray = None;
        let count = taken.trace.steps.len();
        let focus = TrackedPath::at(&self.history.focus()).after(&taken.trace.steps);
        let known = self.history.follow(run, count);
        if known < count {
            let trace = match known {
                0 => taken.trace,
                _ => Rc::new(Trace { start: self.current()?.term.clone(), steps: taken.trace.steps[known..].to_vec() }),
            };
            // A run that a limit ended leaves nothing to go on with, and yet its steps aren't its last ones.
            let (first, last) = (earlier + known == 0, left.is_some() && !taken.more);
            let how = Arrival::Taken { strategy: run.strategy(), first, last };
            self.history.push(HistoryState { is_settled, ..HistoryState::new(taken.after, how, Some(trace), left) });
        }
        self.history.set_focus(focus.path);
        Ok(self.focus()?.map(|now| Box::new(FocusedSubterm { lost: focus.lost, ..*now })))
    }

    /// A run that goes on keeps its engine; of the runs that were gone on with before only some do.
    fn keep_awake(&mut self, run: &PendingRun) {
        self.awake.retain(|other| !other.is_of(run));
        if !run.is_done() {
            self.awake.push(run.clone());
        }
        if self.awake.len() > MAX_AWAKE_RUNS {
            self.awake.remove(0).rest();
        }
    }

    fn run_of(
        &self,
        strategy: &Strategy,
        before: Program,
        taken: &TakenSteps,
        earlier: usize,
        rest: RunRemainder,
    ) -> WalkRun {
        let (strategy, trace, after) = (strategy.to_string(), taken.trace.clone(), taken.after.clone());
        WalkRun {
            strategy,
            before,
            trace,
            first: self.history.taken() + 1,
            earlier,
            rest,
            after,
            discarded: None,
            halt: None,
            focus: None,
        }
    }

    pub(super) fn stop(&mut self) -> Result<WalkAnswer, Trouble> {
        let pending = self.history.drop_pending().ok_or_else(nothing_pending)?;
        Ok(WalkAnswer::Dropped { strategy: pending.strategy().to_string(), taken: pending.taken })
    }

    pub(super) fn travel(&mut self, count: usize, back: bool) -> Result<WalkAnswer, Trouble> {
        let count = if back { self.history.undo(count) } else { self.history.redo(count) };
        if count > 0 {
            self.stray = None;
        }
        match (count, self.history.current()) {
            (0, _) | (_, None) => Ok(WalkAnswer::NowhereToMove { back }),
            (count, Some(state)) => {
                let (now, pending) = (state.program.clone(), state.pending().is_some());
                Ok(WalkAnswer::Moved { count, back, now, focus: self.focus()?, pending })
            }
        }
    }
}

fn nothing_pending() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "no strategy is pending")
        .help("begin with `:step STRATEGY`, for example `:step normalize(getBuild <+ letSubstN(1))`")
}
