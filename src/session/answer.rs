//! What each line and each command does.

use std::rc::Rc;

use super::Session;
use super::command::{Command, without_colon};
use super::history::{How, State};
use super::response::{Failed, Response, Rest, Run, Stopped};
use super::stepping::{Ended, Pending, Taken, WORK};
use crate::check::Model;
use crate::cost;
use crate::ground::{Diagnostic, Trouble, code, text::listed};
use crate::script::LineValue;
use crate::strategy::{Stop, Strategy, Trace};
use crate::term::Program;

/// What a line or a command comes to.
pub(super) type Answer = Result<Response, Trouble>;

impl Session {
    pub(super) fn line(&mut self, text: &str) -> Answer {
        match self.value_of(text, false).map_err(|trouble| with_colon(trouble, text))? {
            LineValue::Unit => Ok(Response::Silent),
            LineValue::Strategy(strategy) => self.run(strategy),
            LineValue::Program { program, .. } => {
                self.become_current(program.clone());
                Ok(Response::Term(program))
            }
            LineValue::Model(model) => Ok(Response::Value(describe(&model))),
            LineValue::Other(text) => Ok(Response::Value(text)),
        }
    }

    pub fn command(&mut self, command: Command) -> Answer {
        match command {
            Command::Load(path) => self.load(&path),
            Command::Show => self.current().map(|p| Response::Whole(p.clone())),
            Command::Type(None) => self.current().map(|p| Response::Type(p.clone())),
            Command::Type(Some(text)) => self.type_of(&text),
            Command::StepInto(text) => self.step_into(&text),
            Command::Step(count) => self.step(count),
            Command::Continue => self.step(usize::MAX),
            Command::Stop => self.stop(),
            Command::Undo(count) => self.travel(count, true),
            Command::Redo(count) => self.travel(count, false),
            Command::Trace(address) => self.trace(address),
            Command::GoTo(address) => self.go_to(&address),
            Command::Log => self.log(),
            Command::Tag(name) => self.tag(&name),
            Command::Diff(from, to) => self.diff(&from, to.as_ref()),
            Command::Rules(filter) => self.rules_of(None, filter),
            Command::Rule(name) => self.rule(&name),
            Command::Strategies => Ok(self.strategies()),
            Command::Strategy(name) => self.guide(&name),
            Command::Eval(text) => self.evaluate(&text, false),
            Command::Count(text) => self.evaluate(&text, true),
            Command::Cost => self.current().map(|program| Response::Cost(cost::work(&program.term))),
            Command::ExportFuthark(path) => self.export(&path),
            Command::Save(path) => self.save(&path),
            Command::Limits => Ok(self.limits()),
            Command::Set(setting, value) => self.set(setting, &value),
            Command::Quit => Ok(Response::Quit),
            Command::Help(None) => Ok(Response::Help),
            Command::Help(Some(info)) => Ok(Response::HelpOn(info)),
        }
    }

    pub(super) fn current(&self) -> Result<&Program, Trouble> {
        self.history.current().map(|state| &state.program).ok_or_else(|| no_term().into())
    }

    fn become_current(&mut self, program: Program) {
        self.stray = None;
        self.history.push(State::new(program, How::Given, None, None));
    }

    /// Runs a strategy on the current term to its end.
    fn run(&mut self, strategy: Strategy) -> Answer {
        let before = self.current()?.clone();
        let pending = Pending::begin(&strategy, &before, &self.host)?;
        self.take(pending, usize::MAX)
    }

    fn step_into(&mut self, text: &str) -> Answer {
        let before = self.current()?.clone();
        let strategy = self.interpreter.strategy(text)?;
        let pending = Pending::begin(&strategy, &before, &self.host)?;
        self.take(pending, 1)
    }

    fn step(&mut self, count: usize) -> Answer {
        let now = self.current()?;
        if let Some(pending) = self.history.going_on() {
            return self.take(pending, count);
        }
        match &self.last {
            Some(last) if last.rest == Rest::None && last.after == *now => {
                Ok(Response::Finished { strategy: last.strategy.clone(), taken: last.taken() })
            }
            Some(last) if last.rest == Rest::Unknown && last.after == *now => {
                let again = format!("a limit ended `{}`: run it again to go on from here", last.strategy);
                Err(nothing_pending().help(again).into())
            }
            _ => Err(nothing_pending().into()),
        }
    }

    /// Takes steps and makes the term after them current. Where that fails, nothing changes.
    fn take(&mut self, mut pending: Pending, count: usize) -> Answer {
        let before = self.current()?.clone();
        let (strategy, earlier) = (pending.strategy(), pending.taken);
        let taken = match pending.take(count, &before, &self.host) {
            Ok(taken) => taken,
            Err(Ended::Looping(finding)) => return Err(finding.into()),
            Err(Ended::Stopped(stop)) => return Ok(self.stopped(&stop, &pending, before)),
            Err(Ended::Failed(reason)) => {
                let (remedy, reason) = (strategy.remedy(), reason.to_string());
                let strategy = strategy.to_string();
                return Ok(Response::Failed(Failed { strategy, reason, remedy, taken: earlier }));
            }
        };
        let rest = if taken.more { Rest::Pending } else { Rest::None };
        let run = self.run_of(&strategy, before, &taken, earlier, rest);
        if taken.trace.steps.is_empty() {
            self.history.drop_pending();
        } else {
            self.arrive(taken, (&pending, earlier), Some(pending.clone()))?;
        }
        self.last = Some(run.clone());
        Ok(Response::Run(run))
    }

    /// A limit ended a strategy: the term so far becomes the current one, unless that makes it worse.
    fn stopped(&mut self, stop: &Stop, pending: &Pending, before: Program) -> Response {
        let (strategy, earlier) = (pending.strategy(), pending.taken);
        let trouble = Trouble::from(stop);
        let Some(taken) = pending.beyond(stop, &before) else {
            return Response::Stopped(Stopped { trouble: trouble.help("the term is as it was"), run: None });
        };
        let run = self.run_of(&strategy, before.clone(), &taken, earlier, Rest::Unknown);
        self.last = Some(run.clone());
        self.stray = Some(run.clone());
        let work = |program: &Program| WORK(&program.term, &program.bounds);
        if work(&taken.after) > work(&before) {
            let kept = "the term is as it was: the term so far takes more work; `:trace` shows the steps to it";
            return Response::Stopped(Stopped { trouble: trouble.help(kept), run: None });
        }
        if let Err(trouble) = self.arrive(taken, (pending, earlier), None) {
            return Response::Stopped(Stopped { trouble, run: None });
        }
        let so_far = "the current term is the one so far: right, but not in normal form; `:undo` takes it back";
        Response::Stopped(Stopped { trouble: trouble.help(so_far), run: Some(run) })
    }

    /// Makes the term after these steps of a run current: along the line as far as they are on it, then behind it. `left`
    /// is what remains of the run, of which `earlier` were taken before.
    fn arrive(
        &mut self,
        taken: Taken,
        (run, earlier): (&Pending, usize),
        left: Option<Pending>,
    ) -> Result<(), Trouble> {
        self.stray = None;
        let count = taken.trace.steps.len();
        let known = self.history.follow(run, count);
        let steps = taken.trace.steps[known..].to_vec();
        if !steps.is_empty() {
            let trace = Rc::new(Trace { start: self.current()?.term.clone(), steps });
            let (first, last) = (earlier + known == 0, left.is_some() && !taken.more);
            let how = How::Taken { strategy: run.strategy(), first, last };
            self.history.push(State::new(taken.after, how, Some(trace), left));
        }
        Ok(())
    }

    fn run_of(&self, strategy: &Strategy, before: Program, taken: &Taken, earlier: usize, rest: Rest) -> Run {
        let (strategy, trace, after) = (strategy.to_string(), taken.trace.clone(), taken.after.clone());
        Run { strategy, before, trace, first: self.history.taken() + 1, earlier, rest, after }
    }

    fn stop(&mut self) -> Answer {
        let pending = self.history.drop_pending().ok_or_else(nothing_pending)?;
        Ok(Response::Dropped { strategy: pending.strategy().to_string(), taken: pending.taken })
    }

    fn travel(&mut self, count: usize, back: bool) -> Answer {
        let count = if back { self.history.undo(count) } else { self.history.redo(count) };
        if count > 0 {
            self.stray = None;
        }
        match (count, self.history.current()) {
            (0, _) | (_, None) => Ok(Response::NowhereToMove { back }),
            (count, Some(state)) => {
                Ok(Response::Moved { count, back, now: state.program.clone(), pending: state.pending().is_some() })
            }
        }
    }
}

/// A hint for those who forgot the colon of a command. A line with a law in it is a statement.
fn with_colon(trouble: Trouble, line: &str) -> Trouble {
    match (trouble, without_colon(line)) {
        (Trouble::Wrong(mut all), Some(info)) if !all.is_empty() && !line.contains('`') => {
            let hint = format!("commands begin with a colon: `{}`", info.example);
            all[0].help.insert(0, hint);
            Trouble::Wrong(all)
        }
        (trouble, _) => trouble,
    }
}

/// A model's path and the names that it defines.
fn describe(model: &Model) -> String {
    format!("{}: {}", model.path, listed(model.names()))
}

pub(super) fn no_term() -> Diagnostic {
    Diagnostic::error(code::NO_TERM, "there is no current term")
        .help("load a model and name one of its definitions: `:load models/vector_sum.arr`, then `gradient`")
}

fn nothing_pending() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "no strategy is pending")
        .help("begin with `:step STRATEGY`, for example `:step normalize(getBuild <+ letSubstN(1))`")
}
