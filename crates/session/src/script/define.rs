//! Registers the statements `strategy name(a, b) = expr;` and `rule name(k) = expr;`, and defines strategies, which keep their
//! names.
//!
//! A definition is evaluated with its strategy parameters standing for themselves, once for each choice of the other
//! arguments, such as the n of `times(n, s)`. What it gives is data: a use is a reference to it, so that a definition
//! may use itself.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{ASTNode, Dynamic, Engine, EvalAltResult, EvalContext, Expr, Expression, ImmutableString, Position, Scope};

use super::computed;
use super::definitions::{DefinitionStatement, TextFunctions, UserStrategy};
use super::errors::{RhaiResult, fail, source_name};
use super::prelude;
use super::read::{DEFINE, RightSide};
use super::words;
use super::world::ScriptWorld;
use redexter_language::ground::{Diagnostic, code};
use redexter_rewriting::strategy::{Strategy, StrategyArgument, StrategyDefinition};

/// Definitions may unfold so many times within each other before their recursion counts as endless.
const MAX_NESTING: u32 = 64;

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
fn define(world: &Rc<ScriptWorld>, context: &mut EvalContext, statement: DefinitionStatement) -> RhaiResult<()> {
    let name = statement.definition().name.clone();
    // The engine has these natively: in the prelude their definitions stand for readers.
    if prelude::is_open(world) && prelude::is_native(&name) {
        return Ok(());
    }
    let defined = Rc::new(UserStrategy { statement, instances: RefCell::default() });
    let before = world.named.borrow_mut().definitions.insert(name.clone(), defined.clone());
    let attempt = vec![Dynamic::from(Strategy::id()); defined.arity()];
    match call(&defined, context.engine(), world, &attempt) {
        Err(error) if defined.arity() == 0 || is_unknown(&error) => {
            let mut named = world.named.borrow_mut();
            match before {
                Some(before) => named.definitions.insert(name, before),
                None => named.definitions.remove(&name),
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

/// The parts that Rhai reads behind the word for a definition: its number, and its right side.
const SYNTAX_PARTS: [&str; 2] = ["$int$", "$expr$"];

pub(super) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let world = world.clone();
    // `symbols` begins with the word itself; `None` behind the last part ends the statement.
    let next = |symbols: &[ImmutableString], _: &str, _: &mut Dynamic| {
        Ok(SYNTAX_PARTS.get(symbols.len() - 1).map(|part| ImmutableString::from(*part)))
    };
    engine.register_custom_syntax_with_state_raw(DEFINE, next, true, move |context, inputs, _| {
        let Some(statement) = statement_of(&world, context, inputs) else { return Ok(Dynamic::UNIT) };
        let done = match statement.definition().right {
            RightSide::Function { .. } => computed::define(&world, context, statement),
            RightSide::Strategy { .. } | RightSide::Laws => define(&world, context, statement),
        };
        done.map(|()| Dynamic::UNIT)
    });
}

/// The values of the variables that an expression mentions.
fn captured(body: &Expr, scope: &Scope) -> Vec<(String, Dynamic)> {
    let mut found: Vec<(String, Dynamic)> = Vec::new();
    body.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
        if let Some(ASTNode::Expr(Expr::Variable(variable, ..))) = path.last()
            && !found.iter().any(|(name, _)| *name == variable.1.as_str())
            && let Some(value) = scope.get(&variable.1)
        {
            found.push((variable.1.to_string(), value.flatten_clone()));
        }
        true
    });
    found
}

/// The statement that Rhai read as a number and a right side.
fn statement_of(world: &Rc<ScriptWorld>, context: &EvalContext, inputs: &[Expression]) -> Option<DefinitionStatement> {
    let [number, body] = inputs else { return None };
    let written = world.written(number.get_literal_value()?)?;
    let body: Expr = AsRef::<Expr>::as_ref(body).clone();
    Some(DefinitionStatement {
        library: TextFunctions::new(written.source, context.namespaces().last().cloned()),
        captured: captured(&body, context.scope()),
        written,
        body,
    })
}

/// A use of it.
pub(super) fn call(
    strategy: &UserStrategy,
    engine: &Engine,
    world: &ScriptWorld,
    values: &[Dynamic],
) -> RhaiResult<Strategy> {
    let arguments: Vec<StrategyArgument> = values.iter().map(argument).collect();
    let instance = instance(strategy, engine, world, values, &arguments)?;
    Ok(Strategy::named(&instance, arguments))
}

/// The definition for the arguments that are no strategies.
fn instance(
    strategy: &UserStrategy,
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
    if let Some(known) = strategy.instances.borrow().get(&key) {
        return Ok(known.clone());
    }
    let mut scope = strategy.statement.scope();
    let (mut serials, mut params) = (Vec::new(), Vec::new());
    for ((name, value), argument) in strategy.statement.definition().params.iter().zip(values).zip(arguments) {
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
    let definition = StrategyDefinition::within(&strategy.statement.definition().name, &params, imported);
    // It is known before its body is: a use of it in there is a reference to it.
    strategy.instances.borrow_mut().insert(key.clone(), definition.clone());
    match evaluate(strategy, engine, world, &mut scope) {
        Ok(body) => {
            definition.set(&serials, &body);
            Ok(definition)
        }
        Err(error) => {
            strategy.instances.borrow_mut().remove(&key);
            Err(error)
        }
    }
}

fn evaluate(strategy: &UserStrategy, engine: &Engine, world: &ScriptWorld, scope: &mut Scope) -> RhaiResult<Strategy> {
    let name = &strategy.statement.definition().name;
    if world.nesting.get() >= MAX_NESTING {
        let help = "a recursive strategy ends where its arguments repeat; let a number that counts down stop at one";
        return Err(fail(Diagnostic::error(code::SCRIPT, format!("`{name}` unfolds without end")).help(help)));
    }
    world.nesting.set(world.nesting.get() + 1);
    let value = strategy.statement.evaluate(engine, scope);
    world.nesting.set(world.nesting.get() - 1);
    let wanted = format!("`strategy {name}` needs a strategy behind its `=`");
    let body = |value| words::strategy(world, &value, &wanted).map_err(|trouble| strategy.statement.wrong(trouble));
    value.and_then(body).map_err(|inner| {
        let source = source_name(strategy.statement.library.source);
        Box::new(EvalAltResult::ErrorInFunctionCall(name.clone(), source, inner, Position::NONE))
    })
}
