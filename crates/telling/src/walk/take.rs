//! Takes steps: along the line of the history as far as it knows them, then beyond its end. Takes them back, too.

use std::rc::Rc;

use super::answer::{Answer, Failed, Focus, Rest, Run, Stopped};
use super::control::{Control, Goal};
use super::marks::Carried;
use super::state::{How, State};
use super::stepping::{Ended, Pending, Taken, WORK};
use super::{Owner, Walk};
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::Program;
use redexter_rewriting::strategy::{Stop, Strategy, Trace};
use redexter_rewriting::why::End;

/// The most runs with more to do that keep their engine, to go on from where they are. An older one begins anew, up to there,
/// when it goes on.
const AWAKE: usize = 8;

impl Walk {
    /// Runs a strategy on the subterm in focus, to its end or to a breakpoint.
    pub fn run(&mut self, strategy: &Strategy, owner: &dyn Owner) -> Result<Answer, Trouble> {
        self.in_focus(strategy, Goal::All, owner)
    }

    /// Takes a strategy's first rewrite on the subterm in focus; the rest is pending.
    pub fn step_into(&mut self, strategy: &Strategy, owner: &dyn Owner) -> Result<Answer, Trouble> {
        self.in_focus(strategy, Goal::Steps(1), owner)
    }

    fn in_focus(&mut self, strategy: &Strategy, goal: Goal, owner: &dyn Owner) -> Result<Answer, Trouble> {
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
    pub fn begin(&mut self, strategy: &Strategy, goal: Goal, owner: &dyn Owner) -> Result<Answer, Trouble> {
        let pending = Pending::begin(strategy, self.current()?, owner)?;
        self.take(pending, goal, false, owner)
    }

    /// Goes on with what is pending.
    pub fn go_on(&mut self, goal: Goal, owner: &dyn Owner) -> Result<Answer, Trouble> {
        let now = self.current()?;
        if let Some(pending) = self.history.going_on() {
            return self.take(pending, goal, true, owner);
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
    fn take(&mut self, mut pending: Pending, goal: Goal, goes_on: bool, owner: &dyn Owner) -> Result<Answer, Trouble> {
        let before = self.current()?.clone();
        let (strategy, earlier) = (pending.strategy(), pending.taken);
        let (name, last, at) = (strategy.to_string(), pending.last(), self.history.taken());
        (self.ended, self.stray) = (None, None);
        let mut control = Control::new(goal, &self.breakpoints, &name, last.as_ref(), (&before.term, at), goes_on);
        let taken = match pending.take(&mut control, &before, owner) {
            Ok(taken) => taken,
            Err(Ended::Looping(finding)) => return Err(finding.into()),
            Err(Ended::Unknown(reason)) => {
                let trouble = Trouble::Stopped { reason, help: Vec::new() };
                return Ok(Answer::Stopped(Stopped { trouble: trouble.help("the term is as it was"), run: None }));
            }
            Err(Ended::Stopped(stop)) => {
                let answer = self.stopped(&stop, &pending, before);
                let within = stop.within.clone();
                self.ended_with(&pending, End::Stopped { reason: stop.reason.clone(), within });
                return Ok(answer);
            }
            Err(Ended::Failed(reason)) => {
                if earlier == 0 {
                    self.ended_with(&pending, End::Failed);
                }
                let (remedy, reason) = (strategy.remedy(), reason.to_string());
                let strategy = strategy.to_string();
                return Ok(Answer::Failed(Failed { strategy, reason, remedy, taken: earlier }));
            }
        };
        let rest = if taken.more { Rest::Pending } else { Rest::None };
        let halt = control.halt;
        self.keep_awake(&pending);
        let mut run = Run { halt, ..self.run_of(&strategy, before, &taken, earlier, rest) };
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
        Ok(Answer::Run(run))
    }

    /// A limit ended a strategy: the term so far becomes the current one, unless that makes it worse.
    fn stopped(&mut self, stop: &Stop, pending: &Pending, before: Program) -> Answer {
        let (strategy, earlier) = (pending.strategy(), pending.taken);
        let trouble = Trouble::from(stop);
        let Some(taken) = pending.beyond(stop, &before) else {
            return Answer::Stopped(Stopped { trouble: trouble.help("the term is as it was"), run: None });
        };
        let mut run = self.run_of(&strategy, before.clone(), &taken, earlier, Rest::Unknown);
        self.last = Some(run.clone());
        self.stray = Some(run.clone());
        // The measure says whether the second term costs more.
        if WORK()(&before.term, &taken.after.term, &before.bounds) {
            let kept = "the term is as it was: the term so far takes more work; `:trace` shows the steps to it";
            return Answer::Stopped(Stopped { trouble: trouble.help(kept), run: None });
        }
        let is_settled = pending.is_settled(earlier + taken.trace.steps.len());
        match self.arrive(taken, (pending, earlier), None, is_settled) {
            Ok(focus) => run.focus = focus,
            Err(trouble) => return Answer::Stopped(Stopped { trouble, run: None }),
        }
        let so_far = "the current term is the one so far, not in normal form; `:undo` takes it back";
        Answer::Stopped(Stopped { trouble: trouble.help(so_far), run: Some(run) })
    }

    /// Makes the term after these steps of a run current: along the line as far as they are on it, then behind it. `left`
    /// is what remains of the run, of which `earlier` were taken before. The focus follows its subterm; where it is then.
    fn arrive(
        &mut self,
        taken: Taken,
        (run, earlier): (&Pending, usize),
        left: Option<Pending>,
        is_settled: bool,
    ) -> Result<Option<Box<Focus>>, Trouble> {
        self.stray = None;
        let count = taken.trace.steps.len();
        let focus = Carried::at(&self.history.focus()).after(&taken.trace.steps);
        let known = self.history.follow(run, count);
        if known < count {
            let trace = match known {
                0 => taken.trace,
                _ => Rc::new(Trace { start: self.current()?.term.clone(), steps: taken.trace.steps[known..].to_vec() }),
            };
            // A run that a limit ended leaves nothing to go on with, and yet its steps aren't its last ones.
            let (first, last) = (earlier + known == 0, left.is_some() && !taken.more);
            let how = How::Taken { strategy: run.strategy(), first, last };
            self.history.push(State { is_settled, ..State::new(taken.after, how, Some(trace), left) });
        }
        self.history.set_focus(focus.path);
        Ok(self.focus()?.map(|now| Box::new(Focus { lost: focus.lost, ..*now })))
    }

    /// A run that goes on keeps its engine; of the runs that were gone on with before only some do.
    fn keep_awake(&mut self, run: &Pending) {
        self.awake.retain(|other| !other.is_of(run));
        if !run.is_done() {
            self.awake.push(run.clone());
        }
        if self.awake.len() > AWAKE {
            self.awake.remove(0).rest();
        }
    }

    fn run_of(&self, strategy: &Strategy, before: Program, taken: &Taken, earlier: usize, rest: Rest) -> Run {
        let (strategy, trace, after) = (strategy.to_string(), taken.trace.clone(), taken.after.clone());
        Run {
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
                let (now, pending) = (state.program.clone(), state.pending().is_some());
                Ok(Answer::Moved { count, back, now, focus: self.focus()?, pending })
            }
        }
    }
}

fn nothing_pending() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "no strategy is pending")
        .help("begin with `:step STRATEGY`, for example `:step normalize(getBuild <+ letSubstN(1))`")
}
