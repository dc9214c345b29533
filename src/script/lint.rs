//! What can be seen to be wrong, or odd, in a script before it runs.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Engine, Expr, Position, Stmt};

use super::read;
use super::trouble;
use super::world::World;
use crate::ground::{Diagnostic, SourceId, code, text::begins_name};

/// What a text may use without defining it.
pub(crate) struct Known<'a> {
    /// Variables of earlier texts.
    pub variables: Vec<String>,
    /// Functions of earlier texts.
    pub functions: Vec<String>,
    /// Strategies and rules that the text defines itself.
    pub definitions: &'a [(String, usize)],
}

/// Functions that Rhai handles itself.
const KEYWORDS: &[&str] = &["print", "debug", "type_of", "call", "curry", "Fn", "is_def_var", "is_def_fn", "is_shared"];

/// Names that nothing can define by the time they are used.
pub(crate) fn unknown_names(
    engine: &Engine,
    world: &World,
    source: SourceId,
    ast: &AST,
    known: &Known,
) -> Vec<Diagnostic> {
    let mut bound: BTreeSet<String> = known.variables.iter().cloned().collect();
    bound.extend(known.definitions.iter().map(|(name, _)| name.clone()));
    let mut uses: Vec<(String, Position, bool)> = Vec::new();
    for function in ast.iter_functions() {
        bound.insert(function.name.to_owned());
        bound.extend(function.params.iter().map(|p| (*p).to_owned()));
    }
    ast.walk(&mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Stmt(statement)) => bound.extend(binds(statement)),
            Some(ASTNode::Expr(expression)) => note(expression, &mut bound, &mut uses),
            _ => {}
        }
        if let Some(ASTNode::Stmt(Stmt::FnCall(call, at))) = path.last() {
            uses.push((call.name.to_string(), *at, true));
        }
        true
    });
    let functions = functions(engine, known);
    let variables: Vec<String> = bound.iter().cloned().collect();
    let callable: Vec<String> = bound.iter().chain(functions.iter().filter(|f| begins_name(f))).cloned().collect();
    let wrong = uses.into_iter().filter(|(name, _, call)| {
        let callable = *call && (functions.contains(name) || !begins_name(name));
        !callable && !bound.contains(name) && (*call || world.value_of(name).is_none())
    });
    let finding = |(name, at, call): (String, Position, bool)| {
        let finding = trouble::unknown(world, &name, if call { &callable } else { &variables });
        world.placed(finding, source, at, "is not known")
    };
    let mut findings: Vec<Diagnostic> = wrong.map(finding).collect();
    findings.dedup();
    findings
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

fn note(expression: &Expr, bound: &mut BTreeSet<String>, uses: &mut Vec<(String, Position, bool)>) {
    match expression {
        Expr::Variable(variable, _, at) if variable.2.is_empty() => uses.push((variable.1.to_string(), *at, false)),
        Expr::FnCall(call, at) | Expr::MethodCall(call, at) => uses.push((call.name.to_string(), *at, true)),
        Expr::Custom(custom, _) if custom.tokens.first().is_some_and(|t| t == "strategy" || t == read::COMPUTED) => {
            bound.extend(custom.inputs.iter().filter_map(|input| match input {
                Expr::Variable(variable, ..) => Some(variable.1.to_string()),
                _ => None,
            }));
        }
        _ => {}
    }
}

fn functions(engine: &Engine, known: &Known) -> BTreeSet<String> {
    let mut names: BTreeSet<String> =
        engine.collect_fn_metadata(None, |info| Some(info.metadata.name.to_string()), true).into_iter().collect();
    names.extend(known.functions.iter().cloned());
    names.extend(KEYWORDS.iter().map(|k| (*k).to_owned()));
    names
}

/// Strategies that a script makes and drops, as in `let s = a ; b;`.
/// The last statement of a line is its value.
pub(crate) fn dropped(world: &World, source: SourceId, ast: &AST, line: bool) -> Vec<Diagnostic> {
    let statements = ast.statements();
    let statements = &statements[..statements.len() - usize::from(line && !statements.is_empty())];
    let odd = statements.iter().filter_map(|statement| match statement {
        Stmt::Expr(expression) => match &**expression {
            Expr::Variable(_, _, at) => Some(*at),
            Expr::FnCall(call, at) if [read::CHOICE, read::SEQUENCE].contains(&call.name.as_str()) => Some(*at),
            _ => None,
        },
        Stmt::FnCall(call, at) if super::Builtin::named(&call.name).is_some() => Some(*at),
        _ => None,
    });
    let found = odd.map(|at| {
        let finding = Diagnostic::warning(code::SCRIPT, "this value is made and dropped")
            .help("outside parentheses `;` ends a statement: write `a ;; b`, or `(a ; b)`");
        world.placed(finding, source, at, "nothing uses this")
    });
    found.collect()
}
