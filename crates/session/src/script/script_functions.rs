//! Calls functions of a script from inside a run: rules are computed by them, and conditions ask them.

use std::rc::{Rc, Weak};

use rhai::{Dynamic, Engine, FnPtr};

use super::definitions::TextFunctions;
use super::errors::RhaiResult;
use super::terms::{TermValue, binder};
use super::trouble;
use super::world::ScriptWorld;
use redexter_language::ground::{Diagnostic, Name, Trouble, code};
use redexter_language::term::{Program, SizeBounds, Term};
use redexter_rewriting::rule::{FailureCause, Frame};

/// The functions of a text and what they need to run.
#[derive(Clone)]
pub(super) struct ScriptFunctions {
    world: Weak<ScriptWorld>,
    text: TextFunctions,
}

impl ScriptFunctions {
    pub(super) fn new(world: &Rc<ScriptWorld>, text: TextFunctions) -> ScriptFunctions {
        ScriptFunctions { world: Rc::downgrade(world), text }
    }

    /// Works with the engine for functions of rules. What goes wrong is said in words that follow "goes wrong".
    pub(super) fn with_engine<T>(&self, work: impl FnOnce(&Engine) -> RhaiResult<T>) -> Result<T, FailureCause> {
        self.attempt(work).map_err(|trouble| match (trouble, self.world.upgrade()) {
            (Trouble::Stopped { reason, .. }, _) => FailureCause::Stopped(reason),
            (wrong, Some(world)) => FailureCause::Computed(told(&world, &wrong).into()),
            (_, None) => FailureCause::Computed(": its script is gone".into()),
        })
    }

    pub(super) fn call(&self, function: &FnPtr, arguments: Vec<Dynamic>) -> Result<Dynamic, FailureCause> {
        self.with_engine(|engine| function.call::<Dynamic>(engine, &self.text.ast(None), arguments))
    }

    /// The same from a script: what goes wrong keeps its place.
    pub(super) fn call_back(&self, function: &FnPtr, arguments: Vec<Dynamic>) -> Result<Dynamic, Trouble> {
        self.attempt(|engine| function.call::<Dynamic>(engine, &self.text.ast(None), arguments))
    }

    fn attempt<T>(&self, work: impl FnOnce(&Engine) -> RhaiResult<T>) -> Result<T, Trouble> {
        let world = self.world.upgrade();
        let engine = world.as_ref().and_then(|world| world.computing.borrow().upgrade());
        let (Some(world), Some(engine)) = (world, engine) else {
            return Err(Diagnostic::error(code::SCRIPT, "the script of this function is gone").into());
        };
        world.across(|| work(&engine)).map_err(|error| trouble::of_run(&world, self.text.source, &error, &[]))
    }
}

/// The place of a finding and the finding.
fn told(world: &ScriptWorld, trouble: &Trouble) -> String {
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
pub(super) fn part(term: &Term, above: &[Frame], bounds: &SizeBounds) -> TermValue {
    let scope: Vec<Name> = above.iter().filter_map(|frame| binder(&frame.term, frame.kid)).collect();
    let program = Program { term: term.clone(), bounds: bounds.clone() };
    TermValue { program, name: None, scope: scope.into() }
}
