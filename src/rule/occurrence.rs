//! Where variables occur.

use crate::term::{Kind, Path, Term};

/// What is to be said of a node in a search.
pub(super) enum Seen {
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
        Kind::Var if term.places()[0] == index + under => Seen::Wanted,
        _ if term.free_at(index + under).is_some() => Seen::Above,
        _ => Seen::Apart,
    })
}

/// The places of what `see` wants in a term that stands at `there`; it gets a node and the binders passed.
pub(super) fn places(term: &Term, there: &Path, most: usize, see: &dyn Fn(&Term, u32) -> Seen) -> Vec<Path> {
    let mut search = Search { here: there.clone(), most, found: Vec::new(), see };
    search.go(term, 0);
    search.found
}

struct Search<'a> {
    here: Path,
    most: usize,
    found: Vec<Path>,
    see: &'a dyn Fn(&Term, u32) -> Seen,
}

impl Search<'_> {
    fn go(&mut self, term: &Term, under: u32) {
        if self.found.len() == self.most {
            return;
        }
        match (self.see)(term, under) {
            Seen::Apart => {}
            Seen::Wanted => self.found.push(self.here.clone()),
            Seen::Above => {
                for k in 0..term.kid_count() {
                    self.here.0.push(k as u32);
                    self.go(&term.kid(k), under + term.binders(k));
                    self.here.0.pop();
                }
            }
        }
    }
}
