//! A rule tried at a place of a program.

use crate::ground::{Budget, StopReason};
use crate::rule::{Focus, Frame, Rule};
use crate::term::{Path, Program, Term};

/// A place where a rule fired, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Fired {
    pub(super) path: Path,
    pub(super) redex: Term,
    pub(super) contractum: Term,
    /// The whole program; or why there is none.
    pub(super) after: Result<Program, String>,
}

/// Tries the rule there.
pub(super) fn at(rule: &Rule, program: &Program, path: &Path) -> Result<Option<Fired>, StopReason> {
    let mut above = Vec::with_capacity(path.0.len());
    let mut here = program.term.clone();
    for k in &path.0 {
        let kid = *k as usize;
        if kid >= here.kid_count() {
            return Ok(None);
        }
        let next = here.kid(kid);
        above.push(Frame { term: here, kid });
        here = next;
    }
    let contractum = match rule.apply(&Focus::new(&here, &above, &program.bounds)) {
        Ok(contractum) if contractum != here => contractum,
        Ok(_) => return Ok(None),
        Err(reason) => return reason.stopped().map_or(Ok(None), |stop| Err(stop.clone())),
    };
    let after = rebuild(&above, &here, &contractum).map(|term| Program { term, bounds: program.bounds.clone() });
    Ok(Some(Fired { path: path.clone(), redex: here, contractum, after }))
}

fn rebuild(above: &[Frame], redex: &Term, contractum: &Term) -> Result<Term, String> {
    if contractum.ty() != redex.ty() {
        return Err(format!("a term of another type, {}", contractum.ty()));
    }
    let around = |kid: Term, frame: &Frame| frame.term.with_kid(frame.kid, kid);
    let whole = above.iter().rev().try_fold(contractum.clone(), around);
    match whole {
        Ok(term) if term.free().len() == 0 => Ok(term),
        Ok(_) => Err("a term that mentions a variable which is not in scope".to_owned()),
        Err(wrong) => Err(format!("a term that does not fit its place: {wrong}")),
    }
}

/// Tries the rule there first, and then everywhere, from the root down.
pub(super) fn anywhere(
    rule: &Rule,
    program: &Program,
    first: &Path,
    budget: &Budget,
) -> Result<Option<Fired>, StopReason> {
    for path in std::iter::once(first.clone()).chain(paths(&program.term)) {
        budget.tick()?;
        if let Some(fired) = at(rule, program, &path)? {
            return Ok(Some(fired));
        }
    }
    Ok(None)
}

/// Every place, parents before children, found as it is asked for: what is shared stands at many.
pub(super) fn paths(root: &Term) -> impl Iterator<Item = Path> + use<> {
    let mut way: Vec<(Term, usize)> = vec![(root.clone(), 0)];
    let below = std::iter::from_fn(move || {
        while let Some((term, next)) = way.last_mut() {
            if *next < term.kid_count() {
                let kid = term.kid(*next);
                *next += 1;
                let path = way.iter().map(|(_, next)| *next as u32 - 1).collect();
                way.push((kid, 0));
                return Some(Path(path));
            }
            way.pop();
        }
        None
    });
    std::iter::once(Path::default()).chain(below)
}

#[cfg(test)]
mod tests {
    use super::paths;
    use crate::term::{Prim, Term, Type};

    fn doubled(times: u32) -> Term {
        let x = Term::var(0, &Type::real());
        (0..times).fold(x, |x, _| Term::prim(Prim::Add, vec![x.clone(), x]).unwrap())
    }

    #[test]
    fn places_of_what_is_shared_are_found_as_they_are_asked_for() {
        let all: Vec<Vec<u32>> = paths(&doubled(2)).map(|path| path.0.to_vec()).collect();
        assert_eq!(all, [&[][..], &[0], &[0, 0], &[0, 1], &[1], &[1, 0], &[1, 1]]);
        assert_eq!(paths(&doubled(40)).take(1_000).count(), 1_000);
    }
}
