//! Finds the pattern variables in a law's sides, and instantiates a side. Both sides are typed terms, in which a variable with
//! arguments is written as nested applications.

use smallvec::SmallVec;

use redexter_language::check::{Law, PatternVar};
use redexter_language::term::{Assignment, IllTyped, Kind, Term};

/// The law's variable that stands there, under `under` binders of the law, with the arguments that it takes: `e(a, i)`
/// is written as nested applications. More arguments than it takes are applications of what it stands for.
pub fn variable(vars: &[PatternVar], term: &Term, under: u32) -> Option<(usize, Vec<Term>)> {
    let mut head = term.clone();
    let mut arguments = Vec::new();
    while let Kind::App = head.kind() {
        arguments.push(head.kid(1));
        head = head.kid(0);
    }
    // Applications nest to the left, so that the last argument came off first.
    arguments.reverse();
    let Kind::Var = head.kind() else { return None };
    let (index, _) = head.free().next()?;
    // An index below `under` is bound by the side itself. Variables are listed outermost first, so that the last one has the
    // lowest index.
    let j = vars.len().checked_sub(index.checked_sub(under)? as usize + 1)?;
    (vars[j].arity == arguments.len()).then_some((j, arguments))
}

/// The left side instantiated with these sizes and types, and with these terms for its variables: each under one binder
/// for each argument that the variable takes. `None` where they don't fit.
pub fn instance(law: &Law, by: &dyn Assignment, terms: &[Term]) -> Option<Term> {
    let left = law.left.assign(by).ok()?;
    fill(&law.vars, &left, terms, 0).ok()
}

fn fill(vars: &[PatternVar], side: &Term, terms: &[Term], under: u32) -> Result<Term, IllTyped> {
    if let Some((j, arguments)) = variable(vars, side, under) {
        let arguments: Result<Vec<Term>, IllTyped> = arguments.iter().map(|a| fill(vars, a, terms, under)).collect();
        // The term's outer variables must pass the binders of the side around this place; its own arguments stay innermost.
        return applied(&terms[j].shift_from(vars[j].arity as u32, under), &arguments?);
    }
    let kid = |k: usize| fill(vars, &side.kid(k), terms, under + side.binders(k));
    let kids: Result<SmallVec<[Term; 2]>, IllTyped> = (0..side.kid_count()).map(kid).collect();
    side.with_kids(kids?)
}

/// A body under as many binders as there are arguments, with these in the place of its variables.
pub fn applied(body: &Term, arguments: &[Term]) -> Result<Term, IllTyped> {
    let mut done = body.clone();
    for (k, argument) in arguments.iter().enumerate().rev() {
        // The last argument is variable 0. The k before it are still bound around it, so that the argument must pass them.
        done = done.instantiate(&argument.shift(k as u32))?;
    }
    Ok(done)
}
