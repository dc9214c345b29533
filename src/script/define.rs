//! `strategy name(a, b) = expr;`: definitions that keep their names.
//!
//! A definition is evaluated with its strategy parameters standing for themselves, once for each choice of the other
//! arguments, such as the n of `times(n, s)`. What it gives is data: a use is a reference to it, so that a definition
//! may use itself.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{
    AST, ASTNode, Dynamic, Engine, EvalAltResult, EvalContext, Expr, Expression, ImmutableString, ParseError, Position,
    Scope, Stmt,
};

use super::words;
use super::world::{Failing, World, fail, source_name};
use crate::ground::{Diagnostic, SourceId, Trouble, code, text::call};
use crate::strategy::{Argument, Definition, Strategy};

/// Definitions may unfold so many times within each other before their recursion counts as endless.
const MAX_NESTING: u32 = 64;

/// A definition of a script or of the REPL.
pub(crate) struct UserStrategy {
    name: String,
    params: Vec<String>,
    body: Expr,
    source: SourceId,
    /// The variables that the body mentions, as they were.
    captured: Vec<(String, Dynamic)>,
    functions: rhai::Shared<rhai::Module>,
    /// What the body is for the arguments that are no strategies.
    instances: RefCell<BTreeMap<String, Rc<Definition>>>,
}

impl UserStrategy {
    /// How it is used.
    pub(crate) fn usage(&self) -> String {
        call(&self.name, &self.params)
    }

    /// The number of its parameters.
    pub(crate) fn arity(&self) -> usize {
        self.params.len()
    }

    /// The strategy, where it takes no arguments.
    pub(crate) fn constant(&self) -> Option<Strategy> {
        let definition = self.instances.borrow().get("").cloned();
        definition.filter(|_| self.params.is_empty()).map(|d| Strategy::named(&d, Vec::new()))
    }

    /// Its body for strategies only, if it was evaluated.
    pub(crate) fn body(&self) -> Option<Strategy> {
        self.instances.borrow().values().next().and_then(|d| d.body().cloned())
    }

    /// A use of it.
    pub(crate) fn call(&self, engine: &Engine, world: &World, values: &[Dynamic]) -> Failing<Strategy> {
        let arguments: Vec<Argument> = values.iter().map(argument).collect();
        let instance = self.instance(engine, world, values, &arguments)?;
        Ok(Strategy::named(&instance, arguments))
    }

    /// The definition for the arguments that are no strategies.
    fn instance(
        &self,
        engine: &Engine,
        world: &World,
        values: &[Dynamic],
        arguments: &[Argument],
    ) -> Failing<Rc<Definition>> {
        let texts = |a: &Argument| match a {
            Argument::Strategy(_) => "_".to_owned(),
            Argument::Text(text) => text.clone(),
        };
        let key = arguments.iter().map(texts).collect::<Vec<String>>().join(", ");
        if let Some(known) = self.instances.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut scope = Scope::new();
        let (mut serials, mut params) = (Vec::new(), Vec::new());
        for (name, value) in &self.captured {
            scope.push_dynamic(name.as_str(), value.clone());
        }
        for ((name, value), argument) in self.params.iter().zip(values).zip(arguments) {
            if matches!(argument, Argument::Text(_)) {
                scope.push_dynamic(name.as_str(), value.clone());
                continue;
            }
            let serial = world.serial();
            serials.push(serial);
            params.push(name.as_str());
            scope.push(name.as_str(), Strategy::free(serial));
        }
        let definition = Definition::new(&self.name, &params);
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

    fn evaluate(&self, engine: &Engine, world: &World, scope: &mut Scope) -> Failing<Strategy> {
        if world.nesting.get() >= MAX_NESTING {
            let headline = format!("`{}` unfolds without end", self.name);
            let help =
                "a recursive strategy ends where its arguments repeat; let a number that counts down stop at one";
            return Err(fail(Diagnostic::error(code::SCRIPT, headline).help(help)));
        }
        let mut ast = AST::new([Stmt::Expr(Box::new(self.body.clone()))], self.functions.clone());
        ast.set_source(source_name(self.source));
        world.nesting.set(world.nesting.get() + 1);
        let value = engine.eval_ast_with_scope::<Dynamic>(scope, &ast);
        world.nesting.set(world.nesting.get() - 1);
        let wanted = format!("`strategy {}` needs a strategy behind its `=`", self.name);
        let wrong = |finding| {
            let trouble = Dynamic::from(Trouble::from(finding));
            Box::new(EvalAltResult::ErrorRuntime(trouble, self.body.start_position()))
        };
        value.and_then(|value| words::strategy(&value, &wanted).map_err(wrong)).map_err(|inner| {
            let source = source_name(self.source);
            Box::new(EvalAltResult::ErrorInFunctionCall(self.name.clone(), source, inner, Position::NONE))
        })
    }
}

fn argument(value: &Dynamic) -> Argument {
    if let Some(strategy) = value.read_lock::<Strategy>() {
        return Argument::Strategy(strategy.clone());
    }
    Argument::Text(match value.read_lock::<ImmutableString>() {
        Some(text) => format!("{:?}", text.as_str()),
        None => value.to_string(),
    })
}

/// Teaches the engine the statement.
pub(crate) fn register(engine: &mut Engine, world: &Rc<World>) {
    let world = world.clone();
    engine.register_custom_syntax_with_state_raw("strategy", next_symbol, true, move |context, inputs, _| {
        define(&world, context, inputs).map(|()| Dynamic::UNIT)
    });
}

/// What may follow the symbols so far.
pub(super) fn next_symbol(
    symbols: &[ImmutableString],
    ahead: &str,
    _: &mut Dynamic,
) -> Result<Option<ImmutableString>, ParseError> {
    let last = symbols.last().map_or("", ImmutableString::as_str);
    let next = match (symbols.len(), last) {
        (1, _) | (_, ",") => "$ident$",
        (2, _) if ahead == "(" => "(",
        (2, _) if ahead == "()" => "()",
        (2, _) | (_, ")" | "()") => "=",
        (_, "(") if ahead == ")" => ")",
        (_, "(") => "$ident$",
        (_, "=") => "$expr$",
        (_, "$expr$") => return Ok(None),
        _ if ahead == "," => ",",
        _ => ")",
    };
    Ok(Some(next.into()))
}

/// Runs the statement.
fn define(world: &Rc<World>, context: &mut EvalContext, inputs: &[Expression]) -> Failing<()> {
    let Some((body, names)) = inputs.split_last() else { return Ok(()) };
    let mut names = names.iter().filter_map(|n| n.get_string_value()).map(str::to_owned);
    let name = names.next().unwrap_or_default();
    let params: Vec<String> = names.collect();
    let body: Expr = AsRef::<Expr>::as_ref(body).clone();
    let captured = captured(&body, context.scope());
    let functions = context.namespaces().last().cloned().unwrap_or_default();
    let source = super::world::source_named(context.source()).unwrap_or(world.current.get());
    let defined = Rc::new(UserStrategy {
        name: name.clone(),
        params,
        body,
        source,
        captured,
        functions,
        instances: RefCell::default(),
    });
    let before = world.definitions.borrow_mut().insert(name.clone(), defined.clone());
    let attempt: Vec<Dynamic> = defined.params.iter().map(|_| Dynamic::from(Strategy::id())).collect();
    match defined.call(context.engine(), world, &attempt) {
        Err(error) if defined.params.is_empty() || is_unknown(&error) => {
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

/// A variable of the same name would hide the definition.
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

/// The values of the variables that an expression mentions.
pub(super) fn captured(body: &Expr, scope: &Scope) -> Vec<(String, Dynamic)> {
    let mut found: Vec<(String, Dynamic)> = Vec::new();
    let ast = AST::new([Stmt::Expr(Box::new(body.clone()))], rhai::Module::new());
    ast.walk(&mut |path: &[ASTNode]| {
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
