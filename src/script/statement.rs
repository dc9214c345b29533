//! `strategy name(a, b) = expr;` and `rule name(k) = expr;`: what both statements are made of.

use std::rc::Rc;

use rhai::{
    ASTNode, Dynamic, Engine, EvalAltResult, EvalContext, Expr, Expression, ImmutableString, ParseError, Position,
    Scope, Stmt,
};

use super::library::Library;
use super::world::{Failing, World, source_named};
use crate::ground::{Diagnostic, Trouble};

/// A definition, whose right side can be evaluated again for other arguments.
pub(super) struct Statement {
    pub(super) name: String,
    pub(super) params: Vec<String>,
    pub(super) library: Library,
    body: Expr,
    /// The variables that the body mentions, as they were.
    captured: Vec<(String, Dynamic)>,
}

impl Statement {
    /// The statement with these parts: name, parameters, right side.
    pub(super) fn new(world: &Rc<World>, context: &EvalContext, inputs: &[Expression]) -> Option<Statement> {
        let (body, names) = inputs.split_last()?;
        let mut names = names.iter().filter_map(|n| n.get_string_value()).map(str::to_owned);
        let source = source_named(context.source()).unwrap_or(world.current.get());
        let body: Expr = AsRef::<Expr>::as_ref(body).clone();
        Some(Statement {
            name: names.next()?,
            params: names.collect(),
            library: Library::new(world, source, context.namespaces().last().cloned()),
            captured: captured(&body, context.scope()),
            body,
        })
    }

    pub(super) fn start(&self) -> Position {
        self.body.start_position()
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
    pub(super) fn evaluate(&self, engine: &Engine, scope: &mut Scope) -> Failing<Dynamic> {
        let body = Stmt::Expr(Box::new(self.body.clone()));
        engine.eval_ast_with_scope(scope, &self.library.ast(Some(body)))
    }

    /// What is wrong with the right side, as an error of Rhai.
    pub(super) fn wrong(&self, finding: Diagnostic) -> Box<EvalAltResult> {
        Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(Trouble::from(finding)), self.start()))
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
