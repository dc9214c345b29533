//! Replacing a subterm wherever it occurs.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use redexter_language::term::{Class, Kind, Node, Term};

/// A term to look for, in the scope of the searched term's root, and what takes its place.
pub(super) struct Exchange {
    pub(super) from: Term,
    pub(super) to: Term,
    /// Whether only where it is asked if it isn't 0.
    pub(super) asked: bool,
}

/// `term` with each occurrence replaced; where one of its variables is bound again it is another term.
pub(super) fn replace(term: &Term, all: &[Exchange]) -> Term {
    Replace { all, memo: FxHashMap::default() }.go(term, 0, false)
}

/// Whether a term asks of a kid only if it isn't 0.
fn asks(term: &Term, kid: usize) -> bool {
    match term.kind() {
        Kind::If => kid == 0,
        Kind::Prim(prim) => prim.class() == Class::Connective,
        _ => false,
    }
}

struct Replace<'a> {
    all: &'a [Exchange],
    memo: FxHashMap<Met, Term>,
}

/// A node of the term, which stays where it is, with the indices of its variables and the binders around it.
type Met = (*const Node, SmallVec<[u32; 8]>, u32);

impl Replace<'_> {
    fn go(&mut self, term: &Term, under: u32, is_asked: bool) -> Term {
        let mut possible = self.all.iter().filter(|e| may_hold(term, &e.from, under)).peekable();
        if possible.peek().is_none() {
            return term.clone();
        }
        let hits =
            |e: &&Exchange| (is_asked || !e.asked) && e.from.size() == term.size() && e.from.shift(under) == *term;
        if let Some(hit) = possible.find(hits) {
            return hit.to.shift(under);
        }
        if let Kind::Var = term.kind() {
            return term.clone();
        }
        let met = || (&raw const **term, term.places().into(), under);
        let key: Option<Met> = term.is_shared().then(met);
        if let Some(done) = key.as_ref().and_then(|key| self.memo.get(key)) {
            return done.clone();
        }
        let mut changed = false;
        let mut kid = |k: usize| {
            let kid = term.kid(k);
            let new = self.go(&kid, under + term.binders(k), asks(term, k));
            changed |= !new.same(&kid);
            new
        };
        let kids: SmallVec<[Term; 2]> = (0..term.kid_count()).map(&mut kid).collect();
        let done = match changed {
            true => term.with_kids(kids).expect("what takes a term's place has its type"),
            false => term.clone(),
        };
        if let Some(key) = key {
            self.memo.insert(key, done.clone());
        }
        done
    }
}

/// Whether `part` can occur in `term`, by its size and its free variables.
fn may_hold(term: &Term, part: &Term, under: u32) -> bool {
    part.size() <= term.size() && part.free().all(|(i, _)| term.free_at(i + under).is_some())
}
