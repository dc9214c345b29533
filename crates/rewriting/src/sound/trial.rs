//! Tries a rule at places of a program, and puts the contractum in.

use std::cell::Cell;

use crate::rule::{Focus, Frame, Miss, Rule};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{IllTyped, Path, Program, Term};

/// The most places that are tried in turn.
const MAX_PLACES: usize = 2_000;

/// A place where a rule fired, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Firing {
    pub(super) path: Path,
    pub(super) redex: Term,
    pub(super) contractum: Term,
    /// The whole program; or why there is none.
    pub(super) after: Result<Program, String>,
}

/// A place in a term, with what stands around it.
pub struct Zipper {
    /// The subterm there.
    pub here: Term,
    /// What stands around it, the root first.
    pub above: Vec<Frame>,
}

impl Zipper {
    /// The place at the end of a path; `None` where that leads nowhere.
    pub fn at(root: &Term, path: &Path) -> Option<Zipper> {
        let mut above = Vec::with_capacity(path.0.len());
        let mut here = root.clone();
        for k in &path.0 {
            let kid = *k as usize;
            if kid >= here.kid_count() {
                return None;
            }
            let next = here.kid(kid);
            above.push(Frame { term: here, kid });
            here = next;
        }
        Some(Zipper { here, above })
    }

    /// Another term in its place, with what stands around from this depth on.
    pub fn with(&self, other: &Term, depth: usize) -> Result<Term, IllTyped> {
        let around = |kid: Term, frame: &Frame| frame.term.with_kid(frame.kid, kid);
        self.above[depth..].iter().rev().try_fold(other.clone(), around)
    }

    /// The whole term with another one in its place; or why there is none.
    pub fn whole(&self, other: &Term) -> Result<Term, String> {
        match self.with(other, 0) {
            Ok(term) if term.free().len() == 0 => Ok(term),
            Ok(_) => Err("a term that mentions a variable which is not in scope".to_owned()),
            Err(wrong) => Err(format!("a term that does not fit its place: {wrong}")),
        }
    }
}

/// Tries the rule there.
pub(super) fn at(rule: &Rule, program: &Program, path: &Path) -> Result<Option<Firing>, StopReason> {
    let Some(place) = Zipper::at(&program.term, path) else { return Ok(None) };
    let redex = place.here.clone();
    let contractum = match rule.attempt(&Focus::new(&redex, &place.above, &program.bounds)) {
        // To give the same term is no step, and would pass as sound without telling anything.
        Ok(contractum) if contractum != redex => contractum,
        Err(Miss::Stopped(stop)) => return Err(stop),
        Ok(_) | Err(_) => return Ok(None),
    };
    let after = match contractum.ty() == redex.ty() {
        true => place.whole(&contractum).map(|term| program.with(term)),
        false => Err(format!("a term of another type, {}", contractum.ty())),
    };
    Ok(Some(Firing { path: path.clone(), redex, contractum, after }))
}

/// Tries the rule there first, and then everywhere, from the root down.
pub(super) fn anywhere(
    rule: &Rule,
    program: &Program,
    first: &Path,
    budget: &Budget,
) -> Result<Option<Firing>, StopReason> {
    for path in std::iter::once(first.clone()).chain(paths(&program.term)) {
        budget.tick()?;
        if let Some(fired) = at(rule, program, &path)? {
            return Ok(Some(fired));
        }
    }
    Ok(None)
}

/// Tries the rule at so many places, from the one with this number on, from the root down and around. `tries` counts.
pub(super) fn around(
    rule: &Rule,
    program: &Program,
    (start, most): (u64, usize),
    tries: &Cell<u64>,
    budget: &Budget,
) -> Result<Option<Firing>, StopReason> {
    let mut all: Vec<Path> = paths(&program.term).take(MAX_PLACES).collect();
    let count = all.len();
    // The root is always there, so that the count isn't 0.
    all.rotate_left((start % count as u64) as usize);
    for path in all.iter().take(most) {
        budget.tick()?;
        tries.set(tries.get() + 1);
        if let Some(fired) = at(rule, program, path)? {
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
    use redexter_language::term::{Prim, Term, Type};

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
