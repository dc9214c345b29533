//! Replaces subterms wherever they occur, several at once, without capturing variables.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use redexter_language::term::{Kind, Node, PrimClass, Term};

/// A term to look for, in the scope of the searched term's root, and what takes its place.
pub(super) struct TermReplacement {
    pub(super) from: Term,
    pub(super) to: Term,
    /// Whether it is replaced only where nothing matters but whether it is 0: as an `if`'s condition, or under a connective.
    pub(super) asked: bool,
}

/// `term` with each occurrence replaced. A subterm is compared by indices, so that one whose variable is bound anew is no
/// occurrence, whatever it is called.
pub(super) fn replace(term: &Term, all: &[TermReplacement]) -> Term {
    Replacer { all, memo: FxHashMap::default() }.go(term, 0, false)
}

/// Whether a term only asks whether this child is 0.
fn asks(term: &Term, kid: usize) -> bool {
    match term.kind() {
        Kind::If => kid == 0,
        Kind::Prim(prim) => prim.class() == PrimClass::Connective,
        _ => false,
    }
}

struct Replacer<'a> {
    all: &'a [TermReplacement],
    memo: FxHashMap<ReplaceKey, Term>,
}

/// A node of the term, which stays where it is, with the indices of its variables and the binders around it.
type ReplaceKey = (*const Node, SmallVec<[u32; 8]>, u32);

impl Replacer<'_> {
    fn go(&mut self, term: &Term, under: u32, is_asked: bool) -> Term {
        // Most subterms are left here: they are too small, or lack a variable of all that is looked for.
        let mut possible = self.all.iter().filter(|e| may_hold(term, &e.from, under)).peekable();
        if possible.peek().is_none() {
            return term.clone();
        }
        // Sizes are compared first because they are known of every node, whereas a shifted term has to be made.
        let hits = |e: &&TermReplacement| {
            (is_asked || !e.asked) && e.from.size() == term.size() && e.from.shift(under) == *term
        };
        if let Some(hit) = possible.find(hits) {
            return hit.to.shift(under);
        }
        if let Kind::Var = term.kind() {
            return term.clone();
        }
        let met = || (&raw const **term, term.places().into(), under);
        // Only a node that several terms hold can be met again. `is_asked` is missing from the key because it matters for the
        // term as a whole only, and that would have been a hit before the memo was asked.
        let key: Option<ReplaceKey> = term.is_shared().then(met);
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
            // Unchanged terms stay the same objects, so that what is shared stays shared.
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
