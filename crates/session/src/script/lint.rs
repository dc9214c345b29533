//! Finds unknown names and unused strategies in a script before it runs.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Engine, Expr, FnCallExpr, Position, Stmt};

use super::meanings;
use super::read::{self, ParsedDefinition, PreparedText, RightSide};
use super::trouble;
use super::world::ScriptWorld;
use redexter_language::ground::name::MAX_GUESSES;
use redexter_language::ground::text::{begins_name, counted};
use redexter_language::ground::{Diagnostic, SourceId, code};

/// The names that a text may use, except those that its functions and statements bind.
pub(crate) struct NamesInScope<'a> {
    /// Whether a variable of an earlier text has this name.
    pub has_variable: &'a dyn Fn(&str) -> bool,
    /// Whether one has it that can be called.
    pub has_callable: &'a dyn Fn(&str) -> bool,
    /// These variables, and the names that stand behind a dot. There may be many, and a text that is right needs no list of them.
    pub variables: &'a dyn Fn() -> Vec<String>,
    /// Functions of earlier texts.
    pub functions: Vec<String>,
    /// Strategies and rules that the text defines itself.
    pub definitions: &'a [ParsedDefinition],
}

/// Functions that Rhai handles itself.
const KEYWORDS: &[&str] = &["print", "debug", "type_of", "call", "curry", "Fn", "is_def_var", "is_def_fn", "is_shared"];

/// Names that nothing can define by the time they are used.
pub(crate) fn unknown_names(
    engine: &Engine,
    world: &ScriptWorld,
    source: SourceId,
    ast: &AST,
    known: &NamesInScope,
) -> Vec<Diagnostic> {
    let mut bound: BTreeSet<String> = world.imports().strategies().map(str::to_owned).collect();
    for definition in known.definitions {
        bound.insert(definition.name.clone());
        // What a law calls its parameters is no name of the script.
        let laws = definition.right == RightSide::Laws;
        bound.extend(definition.params.iter().filter(|_| !laws).cloned());
    }
    let mut uses: Vec<(String, Position, bool)> = Vec::new();
    for function in ast.iter_functions() {
        bound.insert(function.name.to_owned());
        bound.extend(function.params.iter().map(|p| (*p).to_owned()));
    }
    ast.walk(&mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Stmt(statement)) => bound.extend(binds(statement)),
            Some(ASTNode::Expr(expression)) => note(expression, &mut uses),
            _ => {}
        }
        if let Some(ASTNode::Stmt(Stmt::FnCall(call, at))) = path.last() {
            uses.push((call.name.to_string(), *at, true));
        }
        true
    });
    let functions = LazyCell::new(|| functions(engine, known));
    let wrong = uses.into_iter().filter(|(name, _, call)| {
        !bound.contains(name)
            && match call {
                true => begins_name(name) && !(known.has_callable)(name) && !functions.contains(name),
                false => !(known.has_variable)(name) && meanings::value_of(world, name).is_none(),
            }
    });
    let variables = LazyCell::new(|| {
        let all: BTreeSet<String> = bound.iter().cloned().chain((known.variables)()).collect();
        Vec::from_iter(all)
    });
    let callable = LazyCell::new(|| {
        let functions = functions.iter().filter(|f| begins_name(f));
        Vec::from_iter(variables.iter().chain(functions).cloned())
    });
    let finding = |(k, (name, at, call)): (usize, (String, Position, bool))| {
        let finding = match k < MAX_GUESSES {
            _ if call && (known.has_variable)(&name) => {
                return world.placed(trouble::not_callable(&name), source, at, "can't be called");
            }
            true => trouble::unknown(world, &name, if call { &callable } else { &variables }),
            false => trouble::unknown_without_a_guess(&name),
        };
        world.placed(finding, source, at, "is not known")
    };
    let mut findings: Vec<Diagnostic> = wrong.enumerate().map(finding).collect();
    findings.dedup();
    findings
}

/// So many names that aren't known are told of one line.
const MAX_UNKNOWN_NAMES: usize = 3;

/// The findings for the first names of a line that aren't known, one for each.
pub(crate) fn first_of(wrong: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut first: Vec<Diagnostic> = Vec::new();
    for finding in wrong {
        if !first.iter().any(|known| known.headline == finding.headline) {
            first.push(finding);
        }
    }
    let more = first.len().saturating_sub(MAX_UNKNOWN_NAMES);
    first.truncate(MAX_UNKNOWN_NAMES);
    if more > 0 {
        let last = first.pop();
        first.extend(
            last.map(|last| last.help(format!("and {} that this doesn't show", counted(more, "unknown name")))),
        );
    }
    first
}

/// The names that a statement binds.
pub(crate) fn binds(statement: &Stmt) -> Vec<String> {
    match statement {
        Stmt::Var(var, ..) => vec![var.0.name.to_string()],
        Stmt::For(each, _) => {
            let counter = each.1.as_ref().map(|c| c.name.to_string());
            std::iter::once(each.0.name.to_string()).chain(counter).collect()
        }
        Stmt::TryCatch(parts, _) => match &parts.expr {
            Expr::Variable(caught, ..) => vec![caught.1.to_string()],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn note(expression: &Expr, uses: &mut Vec<(String, Position, bool)>) {
    match expression {
        Expr::Variable(variable, _, at) if variable.2.is_empty() => uses.push((variable.1.to_string(), *at, false)),
        Expr::FnCall(call, at) | Expr::MethodCall(call, at) => uses.push((call.name.to_string(), *at, true)),
        _ => {}
    }
}

fn functions(engine: &Engine, known: &NamesInScope) -> BTreeSet<String> {
    let mut names: BTreeSet<String> =
        engine.collect_fn_metadata(None, |info| Some(info.metadata.name.to_string()), true).into_iter().collect();
    names.extend(known.functions.iter().cloned());
    names.extend(KEYWORDS.iter().map(|k| (*k).to_owned()));
    names
}

/// A statement whose value is a strategy that nothing uses: it has no effect.
pub(crate) struct UnusedStrategy {
    pub finding: Diagnostic,
    /// Its value is the value of the whole text, which may be wanted.
    pub last: bool,
}

/// The statements of a text whose value is a strategy.
pub(crate) fn unused(
    world: &ScriptWorld,
    source: SourceId,
    reading: &PreparedText,
    ast: &AST,
    names: &StrategyNames,
) -> Vec<UnusedStrategy> {
    let sources = world.sources.borrow();
    let text = &sources.get(source).text;
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode]| {
        let Some((ASTNode::Stmt(statement), around)) = path.split_last() else { return true };
        let (start, at) = match statement {
            Stmt::Expr(expression) if names.gives_strategy(expression) => (start(expression), expression.position()),
            Stmt::FnCall(call, at) if names.calls_strategy(call) => (start_of_call(call, *at), *at),
            _ => return true,
        };
        let (Some(start), Some(span)) = (world.span(source, start), world.span(source, at)) else { return true };
        // The value of a function without braces.
        if reading.is_behind_parameters(start.start as usize, text) {
            return true;
        }
        let at = span.start as usize;
        let ends = reading.is_ended(at, text);
        let looped = matches!(around.last(), Some(ASTNode::Stmt(Stmt::While(..) | Stmt::Do(..) | Stmt::For(..),)));
        let value = !ends && around.is_empty() && !reading.block_ends_behind(at);
        if ends || looped || value {
            let finding = Diagnostic::error(code::UNUSED_STRATEGY, "nothing uses this strategy");
            let help = "write `a ;; b` to go on with the strategy before it, or `term.apply(strategy)` to run it";
            found.push(UnusedStrategy {
                finding: finding.at(span, "is made and dropped").help(help),
                last: !ends && !looped,
            });
        }
        true
    });
    found
}

/// Where an expression begins; parentheses apart.
fn start(expression: &Expr) -> Position {
    match expression {
        Expr::FnCall(call, at) => start_of_call(call, *at),
        other => other.start_position(),
    }
}

fn start_of_call(call: &FnCallExpr, at: Position) -> Position {
    call.args.first().map_or(at, |first| start(first).min(at))
}

/// The names that stand for strategies in a text.
pub(crate) struct StrategyNames<'a> {
    world: &'a ScriptWorld,
    defined: &'a [ParsedDefinition],
    bound: BTreeSet<String>,
    strategies: BTreeSet<String>,
}

impl<'a> StrategyNames<'a> {
    pub fn of(world: &'a ScriptWorld, defined: &'a [ParsedDefinition], ast: &AST) -> StrategyNames<'a> {
        let params = ast.iter_functions().flat_map(|f| f.params.into_iter().map(str::to_owned)).collect();
        let mut names = StrategyNames { world, defined, bound: params, strategies: BTreeSet::new() };
        ast.walk(&mut |path: &[ASTNode]| {
            if let Some(ASTNode::Stmt(statement)) = path.last() {
                names.bound.extend(binds(statement));
                if let Stmt::Var(var, ..) = statement
                    && names.gives_strategy(&var.1)
                {
                    names.strategies.insert(var.0.name.to_string());
                }
            }
            true
        });
        names
    }

    /// Whether the last statement of a text comes behind one that keeps a strategy: `let s = a ; b` may be meant as one.
    pub fn end_behind_a_strategy(&self, ast: &AST) -> bool {
        matches!(ast.statements(), [.., Stmt::Var(var, ..), _] if self.gives_strategy(&var.1))
    }

    fn is_strategy(&self, name: &str) -> bool {
        match self.bound.contains(name) {
            true => self.strategies.contains(name),
            false => self.defined.iter().any(|known| known.name == name) || meanings::usage(self.world, name).is_some(),
        }
    }

    fn gives_strategy(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Variable(variable, ..) => variable.2.is_empty() && self.is_strategy(&variable.1),
            Expr::FnCall(call, _) => self.calls_strategy(call),
            _ => false,
        }
    }

    fn calls_strategy(&self, call: &FnCallExpr) -> bool {
        let operators = [read::CHOICE, read::SEQUENCE, read::THEN, read::TRY];
        operators.contains(&call.name.as_str()) || self.is_strategy(&call.name)
    }
}
