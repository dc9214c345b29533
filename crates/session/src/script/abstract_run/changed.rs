//! Collects the variables that are assigned again, or may be changed in place: an abstract run takes their values for unknown.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, Stmt};

use super::super::lint::binds;

/// Methods that leave what they are called on as it is.
const NON_MUTATING_METHODS: &[&str] = &[
    "apply",
    "try_apply",
    "trace",
    "evaluate",
    "counts",
    "futhark",
    "write_futhark",
    "jax",
    "write_jax",
    "write_html",
    "write_json",
    "write_latex",
    "write_markdown",
    "len",
    "call",
];

/// Functions of Rhai that change their first argument in place.
const MUTATING_FUNCTIONS: &[&str] = &[
    "append",
    "chop",
    "clear",
    "crop",
    "dedup",
    "drain",
    "extract",
    "fill_with",
    "for_each",
    "insert",
    "make_lower",
    "make_upper",
    "mixin",
    "pad",
    "pop",
    "push",
    "remove",
    "replace",
    "retain",
    "reverse",
    "set",
    "set_bit",
    "set_bits",
    "set_tag",
    "shift",
    "sort",
    "sort_by",
    "sort_desc",
    "splice",
    "split",
    "take",
    "trim",
    "truncate",
    "write_ascii",
    "write_be",
    "write_le",
    "write_utf8",
];

/// The variables that are assigned to, or on which a function or method is called that may change them.
pub(super) fn variables(ast: &AST) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assigned))) => found.extend(root(&assigned.1.lhs)),
            Some(ASTNode::Expr(chain @ Expr::Dot(..))) if changes(chain) => found.extend(root(chain)),
            Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) => {
                let takes = MUTATING_FUNCTIONS.contains(&call.name.as_str());
                found.extend(call.args.first().filter(|_| takes).and_then(root));
            }
            _ => {}
        }
        true
    });
    found
}

/// The variables that functions bind, their parameters among them.
pub(super) fn bound(functions: &AST) -> BTreeSet<String> {
    let mut found: BTreeSet<String> =
        functions.iter_functions().flat_map(|f| f.params.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>()).collect();
    functions.walk(&mut |path: &[ASTNode]| {
        if let Some(ASTNode::Stmt(statement)) = path.last() {
            found.extend(binds(statement));
        }
        true
    });
    found
}

/// The variable that a chain begins with.
fn root(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => root(&pair.lhs),
        _ => None,
    }
}

fn changes(chain: &Expr) -> bool {
    match chain {
        Expr::MethodCall(call, _) => !NON_MUTATING_METHODS.contains(&call.name.as_str()),
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => changes(&pair.lhs) || changes(&pair.rhs),
        _ => false,
    }
}
