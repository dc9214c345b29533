//! Keeps definitions: where each stands, its right side, and what it came to so far.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{AST, Dynamic, Engine, EvalAltResult, Expr, Module, Scope, Shared, Stmt};

use super::errors::{RhaiResult, source_name, stop};
use super::read::ParsedDefinition;
use redexter_language::ground::{SourceId, Span, Trouble};
use redexter_rewriting::strategy::{Strategy, StrategyDefinition, body_text};

/// The functions of a text.
#[derive(Clone)]
pub(crate) struct TextFunctions {
    pub source: SourceId,
    pub functions: Shared<Module>,
}

impl TextFunctions {
    pub fn new(source: SourceId, functions: Option<Shared<Module>>) -> TextFunctions {
        TextFunctions { source, functions: functions.unwrap_or_default() }
    }

    /// These functions, and perhaps something to evaluate.
    pub fn ast(&self, body: Option<Stmt>) -> AST {
        let mut ast = AST::new(body, self.functions.clone());
        ast.set_source(source_name(self.source));
        ast
    }
}

/// A definition in the text where it stands.
pub(crate) struct LocatedDefinition {
    pub source: SourceId,
    pub definition: ParsedDefinition,
}

impl LocatedDefinition {
    /// The whole statement, without its `;`.
    pub fn span(&self) -> Span {
        Span::new(self.source, self.definition.range.start, self.definition.range.end)
    }

    /// The name that it defines.
    pub fn name(&self) -> Span {
        Span::new(self.source, self.definition.at.start, self.definition.at.end)
    }
}

/// A definition, whose right side can be evaluated again for other arguments.
pub(crate) struct DefinitionStatement {
    pub written: Rc<LocatedDefinition>,
    pub library: TextFunctions,
    pub body: Expr,
    /// The variables that the body mentions, as they were.
    pub captured: Vec<(String, Dynamic)>,
}

impl DefinitionStatement {
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

/// A definition of a script or of the REPL.
pub(crate) struct UserStrategy {
    pub statement: DefinitionStatement,
    /// The definitions so far, one for each choice of the arguments that are no strategies, by the text of these.
    pub instances: RefCell<BTreeMap<String, Rc<StrategyDefinition>>>,
}

impl UserStrategy {
    /// How it is used.
    pub(crate) fn usage(&self) -> String {
        self.definition().usage()
    }

    pub(crate) fn arity(&self) -> usize {
        self.definition().arity()
    }

    fn definition(&self) -> &ParsedDefinition {
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
}
