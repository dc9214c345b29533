//! Defines strategies that keep their names: `strategy name(a, b) = expr;`.
//!
//! A definition is evaluated with its strategy parameters standing for themselves, once for each choice of the other
//! arguments, such as the n of `times(n, s)`. What it gives is data: a use is a reference to it, so that a definition
//! may use itself.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Dynamic, Engine, EvalAltResult, EvalContext, ImmutableString, Position, Scope};

use super::prelude;
use super::read;
use super::statement::DefinitionStatement;
use super::words;
use super::world::{RhaiResult, ScriptWorld, fail, source_name};
use redexter_language::ground::{Diagnostic, code};
use redexter_rewriting::strategy::{Strategy, StrategyArgument, StrategyDefinition, body_text};

/// Definitions may unfold so many times within each other before their recursion counts as endless.
const MAX_NESTING: u32 = 64;

/// A definition of a script or of the REPL.
pub(crate) struct UserStrategy {
    statement: DefinitionStatement,
    /// The definitions so far, one for each choice of the arguments that are no strategies, by the text of these.
    instances: RefCell<BTreeMap<String, Rc<StrategyDefinition>>>,
}

impl UserStrategy {
    /// How it is used.
    pub(crate) fn usage(&self) -> String {
        self.definition().usage()
    }

    pub(crate) fn arity(&self) -> usize {
        self.definition().arity()
    }

    fn definition(&self) -> &read::ParsedDefinition {
        self.statement.definition()
    }

    /// The strategy, where it takes no arguments.
    pub(crate) fn constant(&self) -> Option<Strategy> {
        let definition = self.instances.borrow().get("").cloned();
        definition.filter(|_| self.arity() == 0).map(|d| Strategy::named(&d, Vec::new()))
    }

    /// Its body for strategies only, as it prints, if it was evaluated.
    pub(crate) fn body(&self) -> Option<String> {
        self.instances.borrow().values().next().and_then(|d| body_text(d))
    }

    /// The definitions that its uses so far refer to.
    pub(super) fn definitions(&self) -> Vec<Rc<StrategyDefinition>> {
        self.instances.borrow().values().cloned().collect()
    }

    /// A use of it.
    pub(crate) fn call(&self, engine: &Engine, world: &ScriptWorld, values: &[Dynamic]) -> RhaiResult<Strategy> {
        let arguments: Vec<StrategyArgument> = values.iter().map(argument).collect();
        let instance = self.instance(engine, world, values, &arguments)?;
        Ok(Strategy::named(&instance, arguments))
    }

    /// The definition for the arguments that are no strategies.
    fn instance(
        &self,
        engine: &Engine,
        world: &ScriptWorld,
        values: &[Dynamic],
        arguments: &[StrategyArgument],
    ) -> RhaiResult<Rc<StrategyDefinition>> {
        let texts = |a: &StrategyArgument| match a {
            StrategyArgument::Strategy(_) => "_".to_owned(),
            StrategyArgument::Text(text) => text.clone(),
        };
        let key = arguments.iter().map(texts).collect::<Vec<String>>().join(", ");
        if let Some(known) = self.instances.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut scope = self.statement.scope();
        let (mut serials, mut params) = (Vec::new(), Vec::new());
        for ((name, value), argument) in self.definition().params.iter().zip(values).zip(arguments) {
            if matches!(argument, StrategyArgument::Text(_)) {
                scope.push_dynamic(name.as_str(), value.clone());
                continue;
            }
            let serial = world.meter.serial();
            serials.push(serial);
            params.push(name.as_str());
            scope.push(name.as_str(), Strategy::free(serial));
        }
        let imported = !world.loading.is_empty() || prelude::is_open(world);
        let definition = StrategyDefinition::within(&self.definition().name, &params, imported);
        // It is known before its body is: a use of it in there is a reference to it.
        self.instances.borrow_mut().insert(key.clone(), definition.clone());
        match self.evaluate(engine, world, &mut scope) {
            Ok(body) => {
                definition.set(&serials, &body);
                Ok(definition)
            }
            Err(error) => {
                self.instances.borrow_mut().remove(&key);
                Err(error)
            }
        }
    }

    fn evaluate(&self, engine: &Engine, world: &ScriptWorld, scope: &mut Scope) -> RhaiResult<Strategy> {
        let name = &self.definition().name;
        if world.nesting.get() >= MAX_NESTING {
            let help =
                "a recursive strategy ends where its arguments repeat; let a number that counts down stop at one";
            return Err(fail(Diagnostic::error(code::SCRIPT, format!("`{name}` unfolds without end")).help(help)));
        }
        world.nesting.set(world.nesting.get() + 1);
        let value = self.statement.evaluate(engine, scope);
        world.nesting.set(world.nesting.get() - 1);
        let wanted = format!("`strategy {name}` needs a strategy behind its `=`");
        let strategy = |value| words::strategy(world, &value, &wanted).map_err(|trouble| self.statement.wrong(trouble));
        value.and_then(strategy).map_err(|inner| {
            let source = source_name(self.statement.library.source);
            Box::new(EvalAltResult::ErrorInFunctionCall(name.clone(), source, inner, Position::NONE))
        })
    }
}

fn argument(value: &Dynamic) -> StrategyArgument {
    if let Some(strategy) = value.read_lock::<Strategy>() {
        return StrategyArgument::Strategy(strategy.clone());
    }
    StrategyArgument::Text(match value.read_lock::<ImmutableString>() {
        Some(text) => format!("{:?}", text.as_str()),
        None => value.to_string(),
    })
}

/// Gives a strategy its name.
pub(super) fn define(
    world: &Rc<ScriptWorld>,
    context: &mut EvalContext,
    statement: DefinitionStatement,
) -> RhaiResult<()> {
    let name = statement.definition().name.clone();
    // The engine has these natively: in the prelude their definitions stand for readers.
    if prelude::is_open(world) && prelude::is_native(&name) {
        return Ok(());
    }
    let defined = Rc::new(UserStrategy { statement, instances: RefCell::default() });
    let before = world.definitions.borrow_mut().insert(name.clone(), defined.clone());
    let attempt = vec![Dynamic::from(Strategy::id()); defined.arity()];
    match defined.call(context.engine(), world, &attempt) {
        Err(error) if defined.arity() == 0 || is_unknown(&error) => {
            let mut all = world.definitions.borrow_mut();
            match before {
                Some(before) => all.insert(name, before),
                None => all.remove(&name),
            };
            Err(match *error {
                EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => inner,
                other => Box::new(other),
            })
        }
        // It needs an argument that is no strategy: its uses will show whether it is right.
        Err(_) => Ok(()),
        Ok(_) => {
            shadow(context.scope_mut(), &name, &defined);
            Ok(())
        }
    }
}

/// Pushes a definition without arguments over a variable of the same name, which would hide it.
fn shadow(scope: &mut Scope, name: &str, defined: &UserStrategy) {
    if let (true, Some(strategy)) = (scope.contains(name), defined.constant()) {
        scope.push(name, strategy);
    }
}

fn is_unknown(error: &EvalAltResult) -> bool {
    use EvalAltResult::{ErrorFunctionNotFound, ErrorInFunctionCall, ErrorVariableNotFound};
    match error {
        ErrorVariableNotFound(..) => true,
        ErrorFunctionNotFound(signature, _) => !signature.contains('('),
        ErrorInFunctionCall(_, _, inner, _) => is_unknown(inner),
        _ => false,
    }
}
