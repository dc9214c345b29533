//! Registers the statements `strategy name(a, b) = expr;` and `rule name(k) = expr;`, and keeps their right sides.

use std::rc::Rc;

use rhai::{ASTNode, Dynamic, Engine, EvalAltResult, EvalContext, Expr, Expression, ImmutableString, Scope, Stmt};

use super::read::{DEFINE, ParsedDefinition, RightSide};
use super::script_functions::ScriptFunctions;
use super::world::{LocatedDefinition, RhaiResult, ScriptWorld, stop};
use super::{computed, define};
use redexter_language::ground::Trouble;

/// The parts that Rhai reads behind the word for a definition: its number, and its right side.
const SYNTAX_PARTS: [&str; 2] = ["$int$", "$expr$"];

pub(super) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let world = world.clone();
    // `symbols` begins with the word itself; `None` behind the last part ends the statement.
    let next = |symbols: &[ImmutableString], _: &str, _: &mut Dynamic| {
        Ok(SYNTAX_PARTS.get(symbols.len() - 1).map(|part| ImmutableString::from(*part)))
    };
    engine.register_custom_syntax_with_state_raw(DEFINE, next, true, move |context, inputs, _| {
        let Some(statement) = DefinitionStatement::new(&world, context, inputs) else { return Ok(Dynamic::UNIT) };
        let done = match statement.definition().right {
            RightSide::Function { .. } => computed::define(&world, context, statement),
            RightSide::Strategy { .. } | RightSide::Laws => define::define(&world, context, statement),
        };
        done.map(|()| Dynamic::UNIT)
    });
}

/// A definition, whose right side can be evaluated again for other arguments.
pub(super) struct DefinitionStatement {
    pub(super) written: Rc<LocatedDefinition>,
    pub(super) library: ScriptFunctions,
    body: Expr,
    /// The variables that the body mentions, as they were.
    captured: Vec<(String, Dynamic)>,
}

impl DefinitionStatement {
    /// The statement that Rhai read as a number and a right side.
    pub(super) fn new(
        world: &Rc<ScriptWorld>,
        context: &EvalContext,
        inputs: &[Expression],
    ) -> Option<DefinitionStatement> {
        let [number, body] = inputs else { return None };
        let written = world.written(number.get_literal_value()?)?;
        let body: Expr = AsRef::<Expr>::as_ref(body).clone();
        Some(DefinitionStatement {
            library: ScriptFunctions::new(world, written.source, context.namespaces().last().cloned()),
            captured: captured(&body, context.scope()),
            written,
            body,
        })
    }

    pub(super) fn definition(&self) -> &ParsedDefinition {
        &self.written.definition
    }

    /// The variables that the right side mentions; its parameters are still to be added.
    pub(super) fn scope(&self) -> Scope<'static> {
        let mut scope = Scope::new();
        for (name, value) in &self.captured {
            scope.push_dynamic(name.as_str(), value.clone());
        }
        scope
    }

    /// Evaluates the right side.
    pub(super) fn evaluate(&self, engine: &Engine, scope: &mut Scope) -> RhaiResult<Dynamic> {
        let body = Stmt::Expr(Box::new(self.body.clone()));
        engine.eval_ast_with_scope(scope, &self.library.ast(Some(body)))
    }

    /// What is wrong with the right side, as an error of Rhai.
    pub(super) fn wrong(&self, trouble: impl Into<Trouble>) -> Box<EvalAltResult> {
        match trouble.into() {
            stopped @ Trouble::Stopped { .. } => stop(stopped),
            wrong => Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(wrong), self.body.start_position())),
        }
    }
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
