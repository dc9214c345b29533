//! Tracks a subterm through rewrites, forth and back: where it stands after each, or that it is gone.

use rustc_hash::FxHashSet;

use redexter_language::ground::Name;
use redexter_language::term::{Path, Term};
use redexter_rewriting::strategy::Step;

/// The most terms of the wanted form that are compared in one contractum.
const MAX_COMPARISONS: usize = 10_000;

/// The place of a subterm, carried along through rewrites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrackedPath {
    pub path: Path,
    /// A rewrite around it left no such subterm: what it made stands there.
    pub lost: bool,
}

impl TrackedPath {
    pub fn at(path: &Path) -> TrackedPath {
        TrackedPath { path: path.clone(), lost: false }
    }

    /// The place after a rewrite at this path, from one term to another. A rewrite elsewhere, at the subterm or
    /// within it leaves it; after one around it the contractum is searched.
    pub fn over(self, at: &Path, from: &Term, to: &Term) -> TrackedPath {
        let Some(inner) = self.path.0.strip_prefix(&at.0[..]).filter(|inner| !inner.is_empty()) else { return self };
        let way = SoughtSubterm::of(from, inner).and_then(|sought| sought.way_in(to));
        let lost = self.lost || way.is_none();
        TrackedPath { path: Path(at.0.iter().copied().chain(way.unwrap_or_default()).collect()), lost }
    }

    /// The place after these steps.
    pub fn after(self, steps: &[Step]) -> TrackedPath {
        steps.iter().fold(self, |place, step| place.over(&step.path(), &step.redex, &step.contractum))
    }

    /// The place before these steps.
    pub fn before(self, steps: &[Step]) -> TrackedPath {
        steps.iter().rev().fold(self, |place, step| place.over(&step.path(), &step.contractum, &step.redex))
    }
}

/// A subterm that is looked for: the same term, whose variables are bound outside by the same binders, and inside by
/// binders of the same names.
struct SoughtSubterm {
    term: Term,
    binders: Vec<Name>,
}

/// A search for it.
struct SubtermSearch {
    binders: Vec<Name>,
    way: Vec<u32>,
    /// The terms below which nothing has its form.
    barren: FxHashSet<u128>,
    compared: usize,
}

impl SoughtSubterm {
    fn of(root: &Term, way: &[u32]) -> Option<SoughtSubterm> {
        let (mut term, mut binders) = (root.clone(), Vec::new());
        for k in way {
            let k = *k as usize;
            if k >= term.kid_count() {
                return None;
            }
            bind(&term, k, &mut binders);
            term = term.kid(k);
        }
        Some(SoughtSubterm { term, binders })
    }

    /// The way to the first place, from the root down and from left to right, where it stands in a term.
    fn way_in(&self, root: &Term) -> Option<Vec<u32>> {
        let mut search =
            SubtermSearch { binders: Vec::new(), way: Vec::new(), barren: FxHashSet::default(), compared: 0 };
        self.find(root, &mut search).then_some(search.way)
    }

    fn find(&self, here: &Term, search: &mut SubtermSearch) -> bool {
        let hopeless = here.size() < self.term.size() || search.compared > MAX_COMPARISONS;
        if hopeless || search.barren.contains(&here.fingerprint()) {
            return false;
        }
        let compared = search.compared;
        if here.as_part().equals_in_form(self.term.as_part()) {
            search.compared += 1;
            if self.binds_alike(here, &search.binders) {
                return true;
            }
        }
        for k in 0..here.kid_count() {
            let outside = search.binders.len();
            bind(here, k, &mut search.binders);
            search.way.push(k as u32);
            if self.find(&here.kid(k), search) {
                return true;
            }
            search.way.pop();
            search.binders.truncate(outside);
        }
        // Where something has the form it may match elsewhere, below other binders: only a term without any is barren.
        if search.compared == compared {
            search.barren.insert(here.fingerprint());
        }
        false
    }

    fn binds_alike(&self, other: &Term, binders: &[Name]) -> bool {
        let (here, there) = (self.term.places(), other.places());
        let pairs = here.iter().zip(there);
        here.len() == there.len()
            && pairs.into_iter().all(|(one, other)| binder(*one, &self.binders) == binder(*other, binders))
    }
}

/// The binder of a variable: one of these, or one outside, by its distance.
fn binder(index: u32, binders: &[Name]) -> Result<&Name, usize> {
    let index = index as usize;
    match binders.len().checked_sub(index + 1) {
        Some(at) => Ok(&binders[at]),
        None => Err(index - binders.len()),
    }
}

/// Adds what a term binds in a child.
fn bind(term: &Term, kid: usize, binders: &mut Vec<Name>) {
    let name = term.kind().hint().cloned().unwrap_or_else(|| Name::new("_"));
    binders.extend((0..term.binders(kid)).map(|_| name.clone()));
}
