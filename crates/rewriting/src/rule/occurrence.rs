//! Finds the places in a term where a variable, or whatever else is wanted, occurs.

use rustc_hash::FxHashSet;

use redexter_language::term::{Kind, Path, Term};

/// The verdict on a node in a search.
pub(super) enum NodeVerdict {
    /// It is wanted.
    Wanted,
    /// What is wanted may be below it.
    Above,
    /// Nothing below it is wanted.
    Apart,
}

/// The places of a variable in a term that stands at `there`, from left to right, at most so many.
pub(super) fn occurrences(term: &Term, index: u32, there: &Path, most: usize) -> Vec<Path> {
    places(term, there, most, &|term, under| match term.kind() {
        Kind::Var if term.places()[0] == index + under => NodeVerdict::Wanted,
        _ if term.free_at(index + under).is_some() => NodeVerdict::Above,
        _ => NodeVerdict::Apart,
    })
}

/// The places of what `see` wants in a term that stands at `there`; it gets a node and the binders passed.
pub(super) fn places(term: &Term, there: &Path, most: usize, see: &dyn Fn(&Term, u32) -> NodeVerdict) -> Vec<Path> {
    let mut search =
        OccurrenceSearch { here: there.clone(), most, found: Vec::new(), barren: FxHashSet::default(), see };
    search.go(term, 0);
    search.found
}

struct OccurrenceSearch<'a> {
    here: Path,
    most: usize,
    found: Vec<Path>,
    /// Subterms under so many binders that hold nothing wanted.
    barren: FxHashSet<(Term, u32)>,
    see: &'a dyn Fn(&Term, u32) -> NodeVerdict,
}

impl OccurrenceSearch<'_> {
    fn go(&mut self, term: &Term, under: u32) {
        if self.found.len() == self.most {
            return;
        }
        match (self.see)(term, under) {
            NodeVerdict::Apart => {}
            NodeVerdict::Wanted => self.found.push(self.here.clone()),
            NodeVerdict::Above if self.barren.contains(&(term.clone(), under)) => {}
            NodeVerdict::Above => {
                let before = self.found.len();
                for k in 0..term.kid_count() {
                    self.here.0.push(k as u32);
                    self.go(&term.kid(k), under + term.binders(k));
                    self.here.0.pop();
                }
                // The limit wasn't reached on entry and nothing was added since, so that there is nothing to be found below.
                if self.found.len() == before {
                    self.barren.insert((term.clone(), under));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{NodeVerdict, places};
    use redexter_language::term::{Kind, Path, Prim, Term, Type};

    #[test]
    fn what_holds_nothing_wanted_is_searched_once() {
        let x = Term::var(0, &Type::real());
        let shared = (0..40).fold(x, |x, _| Term::prim(Prim::Add, vec![x.clone(), x]).unwrap());
        let whole = Term::prim(Prim::Mul, vec![shared, Term::var(1, &Type::real())]).unwrap();
        let seen = Cell::new(0);
        let found = places(&whole, &Path(vec![7]), 3, &|term, _| {
            seen.set(seen.get() + 1);
            match term.kind() {
                Kind::Var if term.places()[0] == 1 => NodeVerdict::Wanted,
                Kind::Var => NodeVerdict::Apart,
                _ => NodeVerdict::Above,
            }
        });
        assert_eq!((found, seen.get()), (vec![Path(vec![7, 1])], 83));
    }
}
