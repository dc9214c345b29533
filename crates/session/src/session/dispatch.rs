//! Answers lines, and dispatches commands to what carries them out.

use super::Session;
use super::response::Response;
use crate::script::LineValue;
use redexter_language::check::Model;
use redexter_language::cost;
use redexter_language::draw::svg;
use redexter_language::ground::Trouble;
use redexter_language::ground::text::{listed, word};
use redexter_language::term::Program;
use redexter_rewriting::derivation::Address;
use redexter_rewriting::redex::named;
use redexter_telling::command::{Command, ExportFormat, without_colon};
use redexter_telling::handout::HandoutFormat;
use redexter_telling::questions::{QuestionMatter, drawn_in_file, no_rule_but};
use redexter_telling::walk::{self, StepGoal};

/// The result of a line or a command.
pub(super) type SessionResult = Result<Response, Trouble>;

impl Session {
    pub(super) fn line(&mut self, text: &str) -> SessionResult {
        match self.value_of(text, false).map_err(|trouble| with_colon(trouble, text))? {
            LineValue::Unit => {
                if word(text) != "print" {
                    self.statements.push(text.to_owned());
                }
                Ok(Response::Silent)
            }
            LineValue::Strategy(strategy) => match self.course.clone() {
                Some(course) => self.attempt(&strategy, &course),
                None => {
                    walk::run(&mut self.walk, &strategy, StepGoal::All, self.interpreter.owner()).map(Response::Walk)
                }
            },
            LineValue::Program { program, .. } => {
                self.walk.give(program.clone(), self.origin(&program));
                Ok(Response::Term(program))
            }
            LineValue::Model(model) => Ok(Response::Value(describe(&model))),
            LineValue::Other(text) => Ok(Response::Value(text)),
        }
    }

    pub fn command(&mut self, command: Command) -> SessionResult {
        match command {
            Command::Load(path) => self.load(&path),
            Command::Show => match self.walk.focus()? {
                Some(focus) => Ok(Response::Part(focus)),
                None => self.current().map(|p| Response::Whole(p.clone())),
            },
            Command::Type(None) => self.current().map(|p| Response::Type(p.clone())),
            Command::Type(Some(text)) => self.type_of(&text),
            Command::Walk(command) => {
                walk::answer(&mut self.walk, &command, self.interpreter.owner()).map(Response::Walk)
            }
            Command::StepInto(text) => {
                self.current()?;
                let strategy = self.interpreter.strategy(&text)?;
                walk::run(&mut self.walk, &strategy, StepGoal::Steps(1), self.interpreter.owner()).map(Response::Walk)
            }
            Command::Replay(from, strategy) => self.replay(from.as_ref(), strategy),
            Command::Profile(strategy) => {
                self.current()?;
                let strategy = strategy.map(|text| self.interpreter.strategy(&text)).transpose()?;
                walk::profile(&self.walk, strategy.as_ref(), self.interpreter.owner()).map(Response::Walk)
            }
            Command::Ask(question, arguments) => {
                if arguments.about != QuestionMatter::Rules {
                    self.current()?;
                }
                if arguments.by_allowed_rules
                    && let [rule] = &arguments.rules[..]
                    && named(rule, &self.interpreter.owner().rules()).is_err()
                    && self.interpreter.strategy(rule).is_ok()
                {
                    return Err(no_rule_but(rule).into());
                }
                let strategies: Result<Vec<_>, _> =
                    arguments.strategies.iter().map(|text| self.interpreter.strategy(text)).collect();
                let answer = self.asked(question, &arguments, &strategies?)?;
                let Some((path, text)) = drawn_in_file(&arguments, &answer) else { return Ok(Response::Walk(answer)) };
                self.host.files.write_named(path, text.as_bytes())?;
                match answer.trouble() {
                    Some(limit) => Err(limit.clone().help(format!("`{}` has what was found so far", path.display()))),
                    None => Ok(Response::Drawn(path.to_owned(), Box::new(answer))),
                }
            }
            Command::Reload => self.reload(),
            Command::Rules(filter) => self.rules_of(None, filter),
            Command::Rule(name) => self.rule(&name),
            Command::Strategies => Ok(self.strategies()),
            Command::Strategy(name) => self.guide(&name),
            Command::Eval(text) => self.evaluate(&text, false),
            Command::Count(text) => self.evaluate(&text, true),
            Command::Cost => {
                self.current().map(|program| Response::Cost(cost::work(&program.term), cost::memory(&program.term)))
            }
            Command::PlotTo(address, path) => {
                let chart = walk::plot(&self.walk, address.as_ref(), self.interpreter.owner())?;
                self.host.files.write_named(&path, svg(&chart).as_bytes())?;
                Ok(Response::Written(path))
            }
            Command::Export(ExportFormat::Futhark, path) => self.export(&path),
            Command::Export(ExportFormat::Page, path) => self.export_derivation(HandoutFormat::Page, &path),
            Command::Export(ExportFormat::Markdown, path) => self.export_derivation(HandoutFormat::Markdown, &path),
            Command::Export(ExportFormat::Latex, path) => self.export_derivation(HandoutFormat::Latex, &path),
            Command::Save(path) => self.save(&path),
            Command::Limits => Ok(self.limits()),
            Command::Set(setting, value) => self.set(setting, &value),
            Command::Lesson(wanted) => self.lecture(wanted.as_deref()),
            Command::Quit => Ok(Response::Quit),
            Command::Help(None) => Ok(Response::Help),
            Command::Help(Some(wanted)) => self.help_on(&wanted),
        }
    }

    /// Runs a strategy from an earlier term: the last one, with its definition now, unless another one is named.
    fn replay(&mut self, from: Option<&Address>, strategy: Option<String>) -> SessionResult {
        self.current()?;
        let (text, again) = match strategy {
            Some(text) => (text, false),
            None => (walk::last_strategy(&self.walk)?.to_string(), true),
        };
        let strategy = self.interpreter.strategy(&text)?;
        walk::replay(&mut self.walk, from, &strategy, again, self.interpreter.owner()).map(Response::Walk)
    }

    pub(super) fn current(&self) -> Result<&Program, Trouble> {
        self.walk.current()
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
