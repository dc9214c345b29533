//! Functions of a script that are called from inside a run: rules are computed by them, and conditions ask them.

use std::rc::{Rc, Weak};

use rhai::{AST, Dynamic, Engine, EvalAltResult, FnPtr, Module, Shared, Stmt};

use super::trouble;
use super::world::{World, source_name};
use crate::ground::{Name, SourceId, Trouble};
use crate::rule::{Frame, Why};
use crate::term::{Bounds, Program, Term};

use super::terms::{TermValue, binder};

/// The functions of a text and what they need to run.
#[derive(Clone)]
pub(super) struct Library {
    world: Weak<World>,
    pub(super) source: SourceId,
    pub(super) functions: Shared<Module>,
}

impl Library {
    pub(super) fn new(world: &Rc<World>, source: SourceId, functions: Option<Shared<Module>>) -> Library {
        Library { world: Rc::downgrade(world), source, functions: functions.unwrap_or_default() }
    }

    /// These functions, and perhaps something to evaluate.
    pub(super) fn ast(&self, body: Option<Stmt>) -> AST {
        let mut ast = AST::new(body, self.functions.clone());
        ast.set_source(source_name(self.source));
        ast
    }

    /// Works with the engine for functions of rules. What goes wrong is said in words that follow "goes wrong".
    pub(super) fn with_engine<T>(&self, work: impl FnOnce(&Engine) -> Result<T, Box<EvalAltResult>>) -> Result<T, Why> {
        let world = self.world.upgrade();
        let engine = world.as_ref().and_then(|world| world.computing.borrow().upgrade());
        let (Some(world), Some(engine)) = (world, engine) else {
            return Err(Why::Computed(": its script is gone".into()));
        };
        work(&engine).map_err(|error| match trouble::of_run(&world, self.source, &error, &[]) {
            Trouble::Stopped { reason, .. } => Why::Stopped(reason),
            wrong => Why::Computed(told(&world, &wrong).into()),
        })
    }

    pub(super) fn call(&self, function: &FnPtr, arguments: Vec<Dynamic>) -> Result<Dynamic, Why> {
        self.with_engine(|engine| function.call::<Dynamic>(engine, &self.ast(None), arguments))
    }
}

/// The place of a finding and the finding.
fn told(world: &World, trouble: &Trouble) -> String {
    let message = trouble::message(trouble);
    let place = match trouble {
        Trouble::Wrong(all) => all.first().and_then(|finding| finding.place()),
        Trouble::Stopped { .. } => None,
    };
    let Some(place) = place else { return format!(": {message}") };
    let sources = world.sources.borrow();
    let (line, column) = sources.position(place);
    format!(" at {}:{line}:{column}: {message}", sources.get(place.source).name)
}

/// A term that stands inside another, as a value.
pub(super) fn part(term: &Term, above: &[Frame], bounds: &Bounds) -> TermValue {
    let scope: Vec<Name> = above.iter().filter_map(|frame| binder(&frame.term, frame.kid)).collect();
    let program = Program { term: term.clone(), bounds: bounds.clone() };
    TermValue { program, name: None, scope: scope.into() }
}
