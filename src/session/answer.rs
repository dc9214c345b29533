//! What each line and each command does.

use super::Session;
use super::command::{Command, without_colon};
use super::history::{How, State};
use super::response::{Failed, Response, Run};
use super::stepping::{Pending, Progress};
use crate::check::Model;
use crate::cost;
use crate::ground::{Diagnostic, Name, Trouble, code};
use crate::script::Value;
use crate::strategy::Strategy;
use crate::term::Program;

/// What a line or a command comes to.
pub(super) type Answer = Result<Response, Trouble>;

impl Session {
    /// Carries out a line of the script language.
    pub(super) fn line(&mut self, text: &str) -> Answer {
        let value = self.interpreter.eval_line(text);
        match value.map_err(|trouble| with_colon(self.with_array_language(trouble, text), text))? {
            Value::Unit => Ok(Response::Silent),
            Value::Strategy(strategy) => self.run(strategy),
            Value::Program { program, .. } => {
                self.become_current(program.clone());
                Ok(Response::Term(program))
            }
            Value::Model(model) => Ok(Response::Value(describe(&model))),
            Value::Other(text) => Ok(Response::Value(text)),
        }
    }

    /// Carries out a command.
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
            Command::Trace => Ok(self.last.clone().map_or(Response::NoTrace, Response::Trace)),
            Command::Rules(filter) => self.rules_of(None, filter),
            Command::Rule(name) => self.rule(&name),
            Command::Strategies => Ok(self.strategies()),
            Command::Eval(text) => self.evaluate(&text, false),
            Command::Count(text) => self.evaluate(&text, true),
            Command::Cost => self.current().map(|program| Response::Cost(cost::work(&program.term))),
            Command::ExportFuthark(path) => self.export(&path),
            Command::Save(path) => self.save(&path),
            Command::Limits => Ok(self.limits()),
            Command::Set(setting, value) => self.set(setting, &value),
            Command::Quit => Ok(Response::Quit),
            Command::Help(None) => Ok(Response::Help),
            Command::Help(Some(entry)) => Ok(Response::HelpOn(entry)),
        }
    }

    pub(super) fn current(&self) -> Result<&Program, Trouble> {
        self.history.current().map(|state| &state.program).ok_or_else(|| no_term().into())
    }

    fn become_current(&mut self, program: Program) {
        self.history.push(State { program, how: How::Given, trace: None, pending: None });
    }

    /// Runs a strategy on the current term to its end.
    fn run(&mut self, strategy: Strategy) -> Answer {
        let before = self.current()?.clone();
        let pending = Pending::begin(strategy, before, &self.desk)?;
        self.take(pending, usize::MAX, |strategy, _| How::Applied(strategy))
    }

    fn step_into(&mut self, text: &str) -> Answer {
        let before = self.current()?.clone();
        let strategy = self.interpreter.strategy(text)?;
        let pending = Pending::begin(strategy, before, &self.desk)?;
        self.take(pending, 1, stepped(true))
    }

    fn step(&mut self, count: usize) -> Answer {
        let now = self.current()?;
        if let Some(pending) = self.history.current().and_then(|state| state.pending.clone()) {
            return self.take(pending, count, stepped(false));
        }
        match &self.last {
            Some(last) if !last.pending && last.after == *now => {
                Ok(Response::Finished { strategy: last.strategy.clone(), taken: last.taken() })
            }
            _ => Err(nothing_pending().into()),
        }
    }

    /// Takes steps and makes the term after them current. Where that fails, nothing changes.
    fn take(&mut self, mut pending: Pending, count: usize, how: impl Fn(Strategy, bool) -> How) -> Answer {
        let before = self.current()?.clone();
        let (strategy, first) = (pending.strategy.clone(), pending.taken + 1);
        let taken = match pending.take(count, &before, &self.desk)? {
            Progress::Taken(taken) => taken,
            Progress::Failed(reason) => {
                let (remedy, reason) = (strategy.remedy(), reason.to_string());
                let strategy = strategy.to_string();
                return Ok(Response::Failed(Failed { strategy, reason, remedy, taken: first - 1 }));
            }
        };
        let run = Run {
            strategy: strategy.to_string(),
            before,
            trace: taken.trace.clone(),
            first,
            pending: taken.more,
            after: taken.after.clone(),
        };
        if taken.trace.steps.is_empty() {
            self.history.drop_pending();
        } else {
            let pending = taken.more.then_some(pending);
            let how = how(strategy, !taken.more);
            self.history.push(State { program: taken.after, how, trace: Some(taken.trace), pending });
        }
        self.last = Some(run.clone());
        Ok(Response::Run(run))
    }

    fn stop(&mut self) -> Answer {
        let pending = self.history.drop_pending().ok_or_else(nothing_pending)?;
        Ok(Response::Dropped { strategy: pending.strategy.to_string(), taken: pending.taken })
    }

    fn travel(&mut self, count: usize, back: bool) -> Answer {
        let count = if back { self.history.undo(count) } else { self.history.redo(count) };
        match (count, self.history.current()) {
            (0, _) | (_, None) => Ok(Response::NowhereToMove { back }),
            (count, Some(state)) => {
                Ok(Response::Moved { count, back, now: state.program.clone(), pending: state.pending.is_some() })
            }
        }
    }
}

/// A hint for those who forgot the colon of a command. A line with a law in it is a statement.
fn with_colon(trouble: Trouble, line: &str) -> Trouble {
    match (trouble, without_colon(line)) {
        (Trouble::Wrong(mut all), Some(entry)) if !all.is_empty() && !line.contains('`') => {
            let hint = format!("commands begin with a colon: `{}`", entry.example);
            all[0].help.insert(0, hint);
            Trouble::Wrong(all)
        }
        (trouble, _) => trouble,
    }
}

/// A model's path and the names that it defines.
fn describe(model: &Model) -> String {
    let names: Vec<&str> = model.names().map(Name::as_str).collect();
    format!("{}: {}", model.path, names.join(", "))
}

fn stepped(first: bool) -> impl Fn(Strategy, bool) -> How {
    move |strategy, last| How::Stepped { strategy, first, last }
}

fn no_term() -> Diagnostic {
    Diagnostic::error(code::NO_TERM, "there is no current term")
        .help("load a model and name one of its definitions: `:load models/vector_sum.arr`, then `gradient`")
}

fn nothing_pending() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "no strategy is pending")
        .help("begin with `:step STRATEGY`, for example `:step normalize(getBuild <+ letSubstN(1))`")
}
