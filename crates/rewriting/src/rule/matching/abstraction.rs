//! Abstracts what matched over the arguments of a pattern variable: `e(a, fst b)` stands for a body in which new variables take
//! the place of the arguments (Miller's higher-order patterns, extended by projections).

use redexter_language::term::{Term, View};

use super::super::replace::{TermReplacement, replace};

/// `term`, under `under` binders, as a body under one binder per argument (the last innermost), the `under` binders
/// gone. An argument is one of their variables, or a projection of one. `None` if the term mentions them otherwise.
pub(super) fn abstract_over(term: &Term, under: u32, arguments: &[Term]) -> Option<Term> {
    let arity = arguments.len() as u32;
    let place = |j: usize| arity - 1 - j as u32;
    let plain: Option<Vec<u32>> = arguments.iter().map(bare_variable).collect();
    if let Some(indices) = plain {
        let allowed = |i: u32| i >= under || indices.contains(&i);
        let to = |i: u32| match indices.iter().position(|a| *a == i) {
            Some(j) => place(j),
            None => i - under + arity,
        };
        return term.free().all(|(i, _)| allowed(i)).then(|| term.rename(to));
    }
    let mut targets = Vec::new();
    for (j, argument) in arguments.iter().enumerate() {
        // An argument whose variable doesn't occur has nothing to be replaced, so that its variable of the body stays unused.
        if let Some(target) = in_scope_of(argument, term) {
            let new = Term::var(place(j), target.ty());
            targets.push(TermReplacement { from: target.shift(arity), to: new, asked: false });
        }
    }
    // The new variables are bound innermost, so that all others must make room for them first.
    let replaced = replace(&term.shift(arity), &targets);
    let gone = |i: u32| i >= arity && i < arity + under;
    // A binder that is mentioned otherwise than by the arguments would be mentioned outside of its scope.
    let clean = !replaced.free().any(|(i, _)| gone(i));
    clean.then(|| replaced.rename(|i| if i < arity { i } else { i - under }))
}

fn bare_variable(argument: &Term) -> Option<u32> {
    match argument.view() {
        View::Var(i) => Some(i),
        _ => None,
    }
}

/// The pattern's projection with the type that its variable has in the term; `None` if the variable doesn't occur or
/// is no such pair.
fn in_scope_of(argument: &Term, term: &Term) -> Option<Term> {
    match argument.view() {
        View::Var(i) => term.free_at(i).map(|free| Term::var(i, free.ty)),
        View::Fst(p) => Term::fst(in_scope_of(&p, term)?).ok(),
        View::Snd(p) => Term::snd(in_scope_of(&p, term)?).ok(),
        _ => None,
    }
}
