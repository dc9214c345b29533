//! Replacing a subterm wherever it occurs.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::term::{Kind, Term};

/// A term to look for, in the scope of the searched term's root, and what takes its place.
pub(super) struct Exchange {
    pub(super) from: Term,
    pub(super) to: Term,
}

/// `term` with each occurrence replaced; where one of its variables is bound again it is another term.
pub(super) fn replace(term: &Term, all: &[Exchange]) -> Term {
    Replace { all, memo: FxHashMap::default() }.go(term, 0)
}

struct Replace<'a> {
    all: &'a [Exchange],
    memo: FxHashMap<(Term, u32), Term>,
}

impl Replace<'_> {
    fn go(&mut self, term: &Term, under: u32) -> Term {
        let mut possible = self.all.iter().filter(|e| may_hold(term, &e.from, under)).peekable();
        if possible.peek().is_none() {
            return term.clone();
        }
        if let Some(hit) = possible.find(|e| e.from.shift(under) == *term) {
            return hit.to.shift(under);
        }
        if let Kind::Var = term.kind() {
            return term.clone();
        }
        let key = (term.clone(), under);
        if let Some(done) = self.memo.get(&key) {
            return done.clone();
        }
        let kids: SmallVec<[Term; 2]> =
            (0..term.kid_count()).map(|k| self.go(&term.kid(k), under + term.binders(k))).collect();
        let done = term.with_kids(kids).expect("what takes a term's place has its type");
        self.memo.insert(key, done.clone());
        done
    }
}

/// Whether `part` can occur in `term`, by its size and its free variables.
fn may_hold(term: &Term, part: &Term, under: u32) -> bool {
    part.size() <= term.size() && part.free().all(|(i, _)| term.free_at(i + under).is_some())
}
