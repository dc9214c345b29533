//! Steps are taken: along the line as far as it knows them, then behind it; and taken back.

use std::rc::Rc;

use super::answer::{Answer, Failed, Rest, Run, Stopped};
use super::history::{How, State};
use super::stepping::{Ended, Pending, Taken, WORK};
use super::{Owner, Walk};
use crate::ground::{Diagnostic, Trouble, code};
use crate::strategy::{Stop, Strategy, Trace};
use crate::term::Program;

impl Walk {
    /// Runs a strategy on the current term to its end.
    pub fn run(&mut self, strategy: &Strategy, owner: &dyn Owner) -> Result<Answer, Trouble> {
        self.begin(strategy, usize::MAX, owner)
    }

    /// Takes a strategy's first rewrite; the rest is pending.
    pub fn step_into(&mut self, strategy: &Strategy, owner: &dyn Owner) -> Result<Answer, Trouble> {
        self.begin(strategy, 1, owner)
    }

    /// Takes so many steps of a strategy on the current term; the rest is pending.
    pub fn begin(&mut self, strategy: &Strategy, count: usize, owner: &dyn Owner) -> Result<Answer, Trouble> {
        let pending = Pending::begin(strategy, self.current()?, owner)?;
        self.take(pending, count, owner)
    }

    /// Takes so many of the steps that are pending.
    pub fn step(&mut self, count: usize, owner: &dyn Owner) -> Result<Answer, Trouble> {
        let now = self.current()?;
        if let Some(pending) = self.history.going_on() {
            return self.take(pending, count, owner);
        }
        match &self.last {
            Some(last) if last.rest == Rest::None && last.after == *now => {
                Ok(Answer::Finished { strategy: last.strategy.clone(), taken: last.taken() })
            }
            Some(last) if last.rest == Rest::Unknown && last.after == *now => {
                let again = format!("a limit ended `{}`: run it again to go on from here", last.strategy);
                Err(nothing_pending().help(again).into())
            }
            _ => Err(nothing_pending().into()),
        }
    }

    /// Takes steps and makes the term after them current. Where that fails, nothing changes.
    fn take(&mut self, mut pending: Pending, count: usize, owner: &dyn Owner) -> Result<Answer, Trouble> {
        let before = self.current()?.clone();
        let (strategy, earlier) = (pending.strategy(), pending.taken);
        let taken = match pending.take(count, &before, owner) {
            Ok(taken) => taken,
            Err(Ended::Looping(finding)) => return Err(finding.into()),
            Err(Ended::Stopped(stop)) => return Ok(self.stopped(&stop, &pending, before)),
            Err(Ended::Failed(reason)) => {
                let (remedy, reason) = (strategy.remedy(), reason.to_string());
                let strategy = strategy.to_string();
                return Ok(Answer::Failed(Failed { strategy, reason, remedy, taken: earlier }));
            }
        };
        let rest = if taken.more { Rest::Pending } else { Rest::None };
        let run = self.run_of(&strategy, before, &taken, earlier, rest);
        if taken.trace.steps.is_empty() {
            self.history.drop_pending();
        } else {
            self.arrive(taken, (&pending, earlier), Some(pending.clone()), true)?;
        }
        self.last = Some(run.clone());
        Ok(Answer::Run(run))
    }

    /// A limit ended a strategy: the term so far becomes the current one, unless that makes it worse.
    fn stopped(&mut self, stop: &Stop, pending: &Pending, before: Program) -> Answer {
        let (strategy, earlier) = (pending.strategy(), pending.taken);
        let trouble = Trouble::from(stop);
        let Some(taken) = pending.beyond(stop, &before) else {
            return Answer::Stopped(Stopped { trouble: trouble.help("the term is as it was"), run: None });
        };
        let run = self.run_of(&strategy, before.clone(), &taken, earlier, Rest::Unknown);
        self.last = Some(run.clone());
        self.stray = Some(run.clone());
        let work = |program: &Program| WORK(&program.term, &program.bounds);
        if work(&taken.after) > work(&before) {
            let kept = "the term is as it was: the term so far takes more work; `:trace` shows the steps to it";
            return Answer::Stopped(Stopped { trouble: trouble.help(kept), run: None });
        }
        let is_settled = pending.is_settled(earlier + taken.trace.steps.len());
        if let Err(trouble) = self.arrive(taken, (pending, earlier), None, is_settled) {
            return Answer::Stopped(Stopped { trouble, run: None });
        }
        let so_far = "the current term is the one so far: right, but not in normal form; `:undo` takes it back";
        Answer::Stopped(Stopped { trouble: trouble.help(so_far), run: Some(run) })
    }

    /// Makes the term after these steps of a run current: along the line as far as they are on it, then behind it. `left`
    /// is what remains of the run, of which `earlier` were taken before.
    fn arrive(
        &mut self,
        taken: Taken,
        (run, earlier): (&Pending, usize),
        left: Option<Pending>,
        is_settled: bool,
    ) -> Result<(), Trouble> {
        self.stray = None;
        let count = taken.trace.steps.len();
        let known = self.history.follow(run, count);
        let steps = taken.trace.steps[known..].to_vec();
        if !steps.is_empty() {
            let trace = Rc::new(Trace { start: self.current()?.term.clone(), steps });
            let (first, last) = (earlier + known == 0, left.is_some() && !taken.more);
            let how = How::Taken { strategy: run.strategy(), first, last };
            self.history.push(State { is_settled, ..State::new(taken.after, how, Some(trace), left) });
        }
        Ok(())
    }

    fn run_of(&self, strategy: &Strategy, before: Program, taken: &Taken, earlier: usize, rest: Rest) -> Run {
        let (strategy, trace, after) = (strategy.to_string(), taken.trace.clone(), taken.after.clone());
        Run { strategy, before, trace, first: self.history.taken() + 1, earlier, rest, after }
    }

    pub(super) fn stop(&mut self) -> Result<Answer, Trouble> {
        let pending = self.history.drop_pending().ok_or_else(nothing_pending)?;
        Ok(Answer::Dropped { strategy: pending.strategy().to_string(), taken: pending.taken })
    }

    pub(super) fn travel(&mut self, count: usize, back: bool) -> Result<Answer, Trouble> {
        let count = if back { self.history.undo(count) } else { self.history.redo(count) };
        if count > 0 {
            self.stray = None;
        }
        match (count, self.history.current()) {
            (0, _) | (_, None) => Ok(Answer::NowhereToMove { back }),
            (count, Some(state)) => {
                Ok(Answer::Moved { count, back, now: state.program.clone(), pending: state.pending().is_some() })
            }
        }
    }
}

fn nothing_pending() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "no strategy is pending")
        .help("begin with `:step STRATEGY`, for example `:step normalize(getBuild <+ letSubstN(1))`")
}
