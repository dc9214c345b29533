//! Makes imported names callable, and lets functions that are passed to another script run where they come from.

use std::rc::Rc;

use rhai::{Dynamic, Engine, FnPtr, NativeCallContext};

use super::super::combinators::callable;
use super::super::interpreter::Interpreter;
use super::super::outline::DefinitionKind;
use super::super::script_functions;
use super::super::world::{RhaiResult, ScriptWorld, stop};

impl Interpreter {
    /// Gives the engine what is imported and takes arguments.
    pub(super) fn make_callable(&mut self) {
        let world = self.world.clone();
        let imports = world.imports.borrow();
        let all = imports.names.iter().flat_map(|(name, imported)| {
            imported
                .offers
                .iter()
                .map(|offer| (name.clone(), offer.params.len(), offer.kind == DefinitionKind::Function))
        });
        let all: Vec<(String, usize, bool)> = all.collect();
        drop(imports);
        // Functions that are handed over run on an engine of their own.
        let mut changed = self.computing.is_none() && all.iter().any(|(_, arity, function)| *function && *arity > 0);
        for (name, arity, _) in all.into_iter().filter(|(_, arity, function)| *arity > 0 || *function) {
            if self.imported.insert((name.clone(), arity)) {
                teach(&mut self.engine, &self.world, &name, arity);
                changed |= self.computing.is_some();
            }
        }
        if changed {
            self.prepare_computing();
        }
    }
}

/// Wraps a function that goes to another script, so that it runs where it comes from, whatever that script's names mean.
#[allow(deprecated, reason = "Rhai marks what may still change as deprecated")]
pub(in super::super) fn hand_over(world: &Rc<ScriptWorld>, context: &NativeCallContext, value: &mut Dynamic) {
    let Some(function) = value.read_lock::<FnPtr>().map(|function| function.clone()) else { return };
    let home =
        script_functions::ScriptFunctions::new(world, world.source_of(context), context.namespaces().last().cloned());
    let called = FnPtr::from_fn("handed_over", move |_, arguments| {
        let arguments = arguments.iter_mut().map(|argument| argument.flatten_clone()).collect();
        home.call_back(&function, arguments).map_err(stop)
    });
    if let Ok(called) = called {
        *value = Dynamic::from(called);
    }
}

/// Teaches an engine an imported name; functions may take no arguments.
pub(in super::super) fn teach(engine: &mut Engine, world: &Rc<ScriptWorld>, name: &str, arity: usize) {
    match arity {
        0 => {
            let (world, name) = (world.clone(), name.to_owned());
            engine.register_fn(name.clone(), move || -> RhaiResult<Dynamic> {
                let imported = world.imports.borrow().named(&name).cloned();
                imported.and_then(|imported| imported.call(&[])).unwrap_or(Ok(Dynamic::UNIT))
            });
        }
        _ => callable(engine, world, name, arity),
    }
}
