//! Finds what a script would do wrong, without running it, by abstract interpretation.
//!
//! Every statement is walked once: both branches of each `if`, the body of each loop and of each function. An expression's
//! value is an [`AbstractValue`]. Rules and strategies are defined, files loaded and terms read as in a run, so that
//! what is wrong is said in the same words at the same place; whatever takes long or changes something is left out (see
//! [`ScriptWorld::before_work`]), and gives a guess. Only what is sure to go wrong when it runs is told, so that no script that
//! is right is refused: a variable that is assigned anew, or changed in place, is not known at all.

mod calls;
mod changed;
mod expressions;

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, Module, Scope, Shared, Stmt};

use super::errors::source_name;
use super::read::ParsedDefinition;
use super::trouble;
use super::world::ScriptWorld;
use redexter_language::ground::{Diagnostic, SourceId, StopReason, Trouble};

/// The abstract value of an expression: what is known of its value without a run.
#[derive(Clone)]
enum AbstractValue {
    Known(Dynamic),
    /// Something of this kind: a term before it is rewritten, a strategy with parts left open.
    Like(Dynamic),
    /// Anything.
    Unknown,
}

/// Walks over a script, and gathers what is sure to go wrong in it.
pub(super) struct ScriptForesight<'a> {
    engine: &'a Engine,
    world: &'a ScriptWorld,
    source: SourceId,
    functions: Shared<Module>,
    /// Names and numbers of parameters of the script's functions.
    scripted: BTreeSet<(String, usize)>,
    /// Strategies and rules that the text defines.
    defined: &'a [ParsedDefinition],
    /// Variables that may be anything.
    changed: BTreeSet<String>,
    variables: Vec<(String, AbstractValue)>,
    /// Inside so many `force(…)`.
    forced: u32,
    /// Inside so many definitions of strategies.
    defining: u32,
    /// Inside so many `try` blocks, whose errors are caught.
    caught: u32,
    /// Inside so many parts that may never run.
    guarded: u32,
    wrong: Vec<Diagnostic>,
    stopped: Option<StopReason>,
}

/// Finds what is wrong with a script that was read and compiled; its rules and strategies are defined, and some variables known.
pub(super) fn foresee(
    engine: &Engine,
    world: &ScriptWorld,
    (source, ast): (SourceId, &AST),
    defined: &[ParsedDefinition],
    variables: Vec<(String, Dynamic)>,
) -> Result<(), Trouble> {
    let mut foresight = ScriptForesight {
        engine,
        world,
        source,
        functions: ast.shared_lib().clone(),
        scripted: ast.iter_functions().map(|f| (f.name.to_owned(), f.params.len())).collect(),
        defined,
        changed: changed::variables(ast),
        variables: variables.into_iter().map(|(name, value)| (name, AbstractValue::Known(value))).collect(),
        forced: 0,
        defining: 0,
        caught: 0,
        guarded: 0,
        wrong: Vec::new(),
        stopped: None,
    };
    world.meter.dry.set(true);
    foresight.statements(ast.statements());
    foresight.bodies(ast);
    world.meter.dry.set(false);
    match foresight.stopped {
        Some(reason) => Err(reason.into()),
        None if foresight.wrong.is_empty() => Ok(()),
        None => Err(Trouble::Wrong(foresight.wrong)),
    }
}

impl ScriptForesight<'_> {
    /// Walks over the bodies of functions, whose variables may be anything.
    fn bodies(&mut self, ast: &AST) {
        self.variables.clear();
        let functions = ast.clone_functions_only();
        self.changed.extend(changed::bound(&functions));
        self.perhaps(|inside| {
            functions.walk(&mut |path: &[ASTNode]| {
                if let [ASTNode::Stmt(statement)] = path {
                    inside.statement(statement);
                }
                true
            });
        });
    }

    /// Walks over what may never run.
    fn perhaps(&mut self, inside: impl FnOnce(&mut Self)) {
        self.guarded += 1;
        inside(self);
        self.guarded -= 1;
    }

    /// Statements with a scope of their own.
    fn block(&mut self, statements: &[Stmt]) {
        let outside = self.variables.len();
        self.statements(statements);
        self.variables.truncate(outside);
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            if self.stopped.is_some() {
                return;
            }
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Var(var, ..) => {
                let value = self.guess(&var.1);
                self.variables.push((var.0.name.to_string(), value));
            }
            Stmt::If(flow, _) | Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.guess(&flow.expr);
                self.perhaps(|inside| {
                    inside.block(flow.body.statements());
                    inside.block(flow.branch.statements());
                });
            }
            Stmt::For(each, _) => {
                self.guess(&each.2.expr);
                let outside = self.variables.len();
                let names = std::iter::once(&each.0).chain(each.1.as_ref());
                self.variables.extend(names.map(|name| (name.name.to_string(), AbstractValue::Unknown)));
                self.perhaps(|inside| inside.block(each.2.body.statements()));
                self.variables.truncate(outside);
            }
            Stmt::TryCatch(flow, _) => {
                self.caught += 1;
                self.block(flow.body.statements());
                self.caught -= 1;
                let outside = self.variables.len();
                if let Expr::Variable(caught, ..) = &flow.expr {
                    self.variables.push((caught.1.to_string(), AbstractValue::Unknown));
                }
                self.block(flow.branch.statements());
                self.variables.truncate(outside);
            }
            Stmt::Switch(switch, _) => {
                self.guess(&switch.0);
                self.perhaps(|inside| {
                    for case in &switch.1.expressions {
                        inside.guess(&case.lhs);
                        inside.guess(&case.rhs);
                    }
                });
            }
            Stmt::Assignment(assigned) => drop(self.guess(&assigned.1.rhs)),
            Stmt::FnCall(call, at) => drop(self.call(call, *at)),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::Expr(expression) => drop(self.guess(expression)),
            Stmt::BreakLoop(Some(value), ..) | Stmt::Return(Some(value), ..) => drop(self.guess(value)),
            _ => {}
        }
    }

    /// Evaluates an expression in which nothing is left open but variables of the scope.
    fn evaluate(&mut self, expression: Expr, scope: &mut Scope) -> AbstractValue {
        let mut ast = AST::new([Stmt::Expr(Box::new(expression))], self.functions.clone());
        ast.set_source(source_name(self.source));
        self.world.begin_dry();
        match self.engine.eval_ast_with_scope::<Dynamic>(scope, &ast) {
            Ok(value) => AbstractValue::Known(value),
            Err(error) => {
                self.note(&error);
                AbstractValue::Unknown
            }
        }
    }

    /// Tells the error as a run would; of an evaluation that only wasn't carried through there is nothing to tell.
    fn note(&mut self, error: &EvalAltResult) {
        match innermost(error) {
            // `ScriptWorld::before_work` and limits end an evaluation: there is nothing to tell, unless time, memory or the user
            // did.
            EvalAltResult::ErrorTerminated(token, _) => {
                if let Some(Trouble::Stopped {
                    reason: reason @ (StopReason::Interrupted | StopReason::Time(_) | StopReason::Memory(_)),
                    ..
                }) = token.read_lock::<Trouble>().as_deref()
                {
                    self.stopped = Some(reason.clone());
                }
            }
            EvalAltResult::ErrorDataTooLarge(..) => {}
            // What stands before it may keep it from going wrong.
            EvalAltResult::ErrorArrayBounds(..)
            | EvalAltResult::ErrorStringBounds(..)
            | EvalAltResult::ErrorIndexNotFound(..)
            | EvalAltResult::ErrorArithmetic(..)
                if self.guarded > 0 => {}
            // A script may throw in what never runs.
            EvalAltResult::ErrorRuntime(value, _) if !value.is::<Trouble>() => {}
            _ if self.caught > 0 => {}
            _ => {
                if let Trouble::Wrong(all) = trouble::of_run(self.world, self.source, error, &[]) {
                    all.into_iter().for_each(|finding| self.tell(finding));
                }
            }
        }
    }

    /// One cause, one finding.
    fn tell(&mut self, finding: Diagnostic) {
        let known = |d: &Diagnostic| d.code == finding.code && d.place() == finding.place();
        if self.caught == 0 && !self.wrong.iter().any(known) {
            self.wrong.push(finding);
        }
    }
}

fn innermost(error: &EvalAltResult) -> &EvalAltResult {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => innermost(inner),
        other => other,
    }
}
