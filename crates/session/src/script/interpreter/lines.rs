//! Reads and runs lines of the REPL and strategies of the command line; a [`LineValue`] is what a line came to.

use std::rc::Rc;

use rhai::{Dynamic, Scope};

use super::super::meanings;
use super::super::models::ModelValue;
use super::super::read::{TextKind, ends_in_sequence, kind_of, read};
use super::super::terms::TermValue;
use super::super::words;
use super::{CompiledLine, Interpreter};
use redexter_language::check::Model;
use redexter_language::ground::{Diagnostic, Span, Trouble};
use redexter_language::term::Program;
use redexter_rewriting::strategy::Strategy;
use redexter_telling::walk::WalkOwner;

/// The value of a line.
#[derive(Clone, Debug)]
pub enum LineValue {
    /// Nothing: the line was a statement.
    Unit,
    /// A strategy.
    Strategy(Strategy),
    /// A term.
    Program {
        /// The term.
        program: Program,
        /// The definition that it comes from, if it does.
        name: Option<String>,
    },
    /// A model.
    Model(Rc<Model>),
    /// Anything else, as it prints.
    Other(String),
}

impl Interpreter {
    /// Runs a line of the REPL.
    pub fn eval_line(&mut self, line: &str) -> Result<LineValue, Trouble> {
        let line = self.read_line(line)?;
        self.run_line(line)
    }

    /// Reads a line of the REPL. One that begins with no word of a statement counts as parenthesised.
    pub fn read_line(&mut self, line: &str) -> Result<CompiledLine, Trouble> {
        self.compiled("<input>", line, kind_of(line), true)
    }

    /// Runs a line that was just read.
    pub fn run_line(&mut self, line: CompiledLine) -> Result<LineValue, Trouble> {
        let value = self.execute(line, true)?;
        match words::unapplied(&value) {
            Some(finding) => Err(finding.into()),
            None => self.value(value),
        }
    }

    /// The strategy that an expression stands for, read as if in parentheses.
    pub fn strategy(&mut self, expression: &str) -> Result<Strategy, Trouble> {
        let value = self.run("<strategy>", expression, TextKind::Parenthesised, true)?;
        words::strategy(&self.world, &value, "a strategy is needed here").map_err(|trouble| {
            let Trouble::Wrong(all) = trouble else { return trouble };
            let source = self.world.current.get();
            let text = self.world.sources.borrow().get(source).text.clone();
            let start = text.len() - text.trim_start().len();
            let span = Span::new(source, start, text.trim_end().len().max(start));
            let placed = |finding: Diagnostic| match finding.labels.is_empty() {
                true => finding.at(span, "is no strategy"),
                false => finding,
            };
            Trouble::Wrong(all.into_iter().map(placed).collect())
        })
    }

    /// The owner of the session's walk, which answers what the walk asks.
    pub fn owner(&self) -> &dyn WalkOwner {
        &*self.world
    }

    /// Whether a text can be run as it is: nothing in it is left open.
    pub fn is_complete(&self, text: &str) -> bool {
        read(text, kind_of(text), 0, &|name| meanings::usage(&self.world, name).is_some()).complete
    }

    /// Whether a text is a strategy with a `;` behind it, so that another one may follow.
    pub fn ends_in_sequence(&self, text: &str) -> bool {
        ends_in_sequence(text, &|name| meanings::usage(&self.world, name).is_some())
    }

    /// Whether a text begins with a name that stands for a strategy, and is no statement.
    pub fn begins_strategy(&self, text: &str) -> bool {
        let as_sequence = format!("{}\n;", text.trim_end_matches(|c: char| c == ';' || c.is_whitespace()));
        ends_in_sequence(&as_sequence, &|name| meanings::usage(&self.world, name).is_some())
    }

    /// Binds a model to a name; what had the name before is hidden.
    pub fn bind_model(&mut self, name: &str, model: &Rc<Model>) {
        self.variables.with(|scope| {
            scope.set_or_push(name, ModelValue(model.clone()));
        });
    }

    /// Binds a term to a name; what had the name before is hidden.
    pub fn set_program(&mut self, name: &str, program: Program) {
        self.variables.with(|scope| {
            scope.set_or_push(name, TermValue::new(program, Some(name.to_owned())));
        });
    }

    /// Whether a name means nothing yet.
    pub fn is_free(&self, name: &str) -> bool {
        !self.variables.contains(name) && meanings::value_of(&self.world, name).is_none()
    }

    /// Binds a term to a name, unless the name is taken.
    pub fn bind_program(&mut self, name: &str, program: Program) -> bool {
        let free = self.is_free(name);
        if free {
            self.variables.with(|scope| {
                scope.push(name, TermValue::new(program, Some(name.to_owned())));
            });
        }
        free
    }

    /// Removes every variable of a name, hidden ones included.
    pub fn unbind(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// A value as `print` shows it, unless a limit ends that.
    fn printed(&self, value: Dynamic) -> Result<String, Trouble> {
        let kind = value.type_name();
        let mut scope = Scope::new();
        scope.push_dynamic("value", value);
        let text = self.engine.eval_with_scope(&mut scope, "`${value}`").unwrap_or_else(|_| kind.to_owned());
        self.world.meter.pending().map_or(Ok(text), |reason| Err(reason.into()))
    }

    fn value(&self, value: Dynamic) -> Result<LineValue, Trouble> {
        match Interpreter::known_value(&value) {
            Some(known) => Ok(known),
            None => self.printed(value).map(LineValue::Other),
        }
    }

    /// A value that isn't told as text, if it is one.
    fn known_value(value: &Dynamic) -> Option<LineValue> {
        if value.is_unit() {
            return Some(LineValue::Unit);
        }
        if let Some(subject) = value.read_lock::<TermValue>() {
            return Some(LineValue::Program { program: subject.program.clone(), name: subject.name.clone() });
        }
        if let Some(model) = value.read_lock::<ModelValue>() {
            return Some(LineValue::Model(model.0.clone()));
        }
        if let Some(strategy) = value.read_lock::<Strategy>() {
            return Some(LineValue::Strategy(strategy.clone()));
        }
        None
    }
}
