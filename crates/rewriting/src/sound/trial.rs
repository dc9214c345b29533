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
    /// The root.
    fn root(term: &Term) -> Zipper {
        Zipper { here: term.clone(), above: Vec::new() }
    }

    /// The place at the end of a path; `None` where that leads nowhere.
    pub fn at(root: &Term, path: &Path) -> Option<Zipper> {
        let mut place = Zipper::root(root);
        path.0.iter().all(|kid| place.down(*kid as usize)).then_some(place)
    }

    /// Goes to a child, if there is one.
    fn down(&mut self, kid: usize) -> bool {
        if kid >= self.here.kid_count() {
            return false;
        }
        let next = self.here.kid(kid);
        self.above.push(Frame { term: std::mem::replace(&mut self.here, next), kid });
        true
    }

    /// Goes to the next place, parents before children, if there is one; behind the last it is the root again.
    fn next(&mut self) -> bool {
        if self.down(0) {
            return true;
        }
        while let Some(frame) = self.above.pop() {
            self.here = frame.term;
            if self.down(frame.kid + 1) {
                return true;
            }
        }
        false
    }

    fn path(&self) -> Path {
        Path(self.above.iter().map(|frame| frame.kid as u32).collect())
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

/// Tries the rule at the end of a path.
pub(super) fn at(rule: &Rule, program: &Program, path: &Path) -> Result<Option<Firing>, StopReason> {
    Zipper::at(&program.term, path).map_or(Ok(None), |place| fired(rule, program, &place))
}

fn fired(rule: &Rule, program: &Program, place: &Zipper) -> Result<Option<Firing>, StopReason> {
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
    Ok(Some(Firing { path: place.path(), redex, contractum, after }))
}

/// Tries the rule there first, and then everywhere, from the root down.
pub(super) fn anywhere(
    rule: &Rule,
    program: &Program,
    first: &Path,
    budget: &Budget,
) -> Result<Option<Firing>, StopReason> {
    if let Some(found) = at(rule, program, first)? {
        return Ok(Some(found));
    }
    // One walk: from the root to each place anew, terms as deep as they are long would take the square of their length.
    let mut place = Zipper::root(&program.term);
    for _ in 0..MAX_PLACES {
        budget.tick()?;
        if let Some(found) = fired(rule, program, &place)? {
            return Ok(Some(found));
        }
        if !place.next() {
            break;
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
        if let Some(found) = at(rule, program, path)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Every place, parents before children, found as it is asked for: what is shared stands at many.
pub(super) fn paths(root: &Term) -> impl Iterator<Item = Path> + use<> {
    let mut place = Zipper::root(root);
    let below = std::iter::from_fn(move || place.next().then(|| place.path()));
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
