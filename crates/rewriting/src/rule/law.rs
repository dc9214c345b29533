//! Finds the pattern variables in a law's sides, and instantiates a side. Both sides are typed terms, in which a variable with
//! arguments is written as nested applications.

use smallvec::SmallVec;

use redexter_language::check::{Law, PatternVar};
use redexter_language::term::{Assignment, IllTyped, Kind, Term, Type};

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

/// Whether an argument of a pattern variable is a variable that the law's side binds, under so many binders of it.
pub fn is_bound(argument: &Term, under: u32) -> bool {
    matches!(argument.kind(), Kind::Var) && argument.free().all(|(index, _)| index < under)
}

/// The way to where a variable of a law first occurs in its left side.
pub fn place_of(law: &Law, j: usize) -> Option<Vec<u32>> {
    first_place(&law.left, 0, &|term, under| variable(&law.vars, term, under).is_some_and(|(k, _)| k == j))
}

/// The way to the first node, from the left, for which `here` holds; it sees the binders passed.
pub(super) fn first_place(term: &Term, under: u32, here: &dyn Fn(&Term, u32) -> bool) -> Option<Vec<u32>> {
    if here(term, under) {
        return Some(Vec::new());
    }
    (0..term.kid_count()).find_map(|k| {
        let mut path = first_place(&term.kid(k), under + term.binders(k), here)?;
        path.insert(0, k as u32);
        Some(path)
    })
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

/// The most arguments that are put in one after another: of a few each goes along its own path, of many that would take the
/// square of their number.
const MOST_BY_ONE: usize = 4;

/// A body under as many binders as there are arguments, with these in the place of its variables.
pub fn applied(body: &Term, arguments: &[Term]) -> Result<Term, IllTyped> {
    if arguments.len() > MOST_BY_ONE {
        let outer = |index: u32| {
            let ty = body.free_at(index).map_or_else(Type::real, |free| free.ty.clone());
            Term::var(index - arguments.len() as u32, &ty)
        };
        // The last argument is variable 0.
        return body.substitute(&|index| match arguments.len().checked_sub(index as usize + 1) {
            Some(k) => arguments[k].clone(),
            None => outer(index),
        });
    }
    let mut done = body.clone();
    for (k, argument) in arguments.iter().enumerate().rev() {
        // The k before it are still bound around it, so that the argument must pass them.
        done = done.instantiate(&argument.shift(k as u32))?;
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::applied;
    use redexter_language::term::{Prim, Term, Type};

    /// Of as many arguments as are put in at once, and of those that are put in by one.
    #[test]
    fn arguments_stand_where_they_stand_one_by_one() {
        let real = Type::real();
        let var = |index| Term::var(index, &real);
        let add = |a: Term, b: Term| Term::binary(Prim::Add, a, b).expect("two numbers");
        for count in 0..9_u32 {
            // All of them, under a binder twice, and two variables from outside.
            let sum = (0..count + 2).map(var).reduce(|a, b| add(b, a)).expect("two at least");
            let body = Term::let_in(&"x".into(), sum.clone(), add(sum.shift(1), var(0))).expect("a let");
            let arguments: Vec<Term> =
                (0..count).map(|k| if k % 2 == 0 { add(var(k % 3), var(1)) } else { var(k) }).collect();
            let one_by_one = (0..count as usize)
                .rev()
                .fold(body.clone(), |done, k| done.instantiate(&arguments[k].shift(k as u32)).expect("a number"));
            assert_eq!(applied(&body, &arguments).expect("numbers"), one_by_one, "{count}");
        }
    }
}
