//! Finds what stands in several places of a term, before anything is put together: ways on which a variable of what is looked for
//! doesn't occur are left at once.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use redexter_language::term::{Node, Term, TermRef};

/// The most terms that are looked for one after the other, and the most children that are compared with each other.
const MAX_COMPARED: usize = 8;

/// The number of nodes after which a search remembers where it was.
const MEMO_AFTER_NODES: usize = 256;

/// Whether two children of a term may share a term that costs something, holds no function and mentions nothing that is
/// bound on the way to it: exact for few children, which are compared with each other.
pub(super) fn may_share(term: &Term) -> bool {
    let kids = term.kids();
    // Too many children to compare each with each: it may be so.
    if kids.len() > MAX_COMPARED {
        return true;
    }
    // Of two children that share a term one at least isn't the largest, so that the largest is only searched.
    let Some(largest) = (0..kids.len()).max_by_key(|k| kids[*k].size()) else { return false };
    (0..kids.len()).filter(|k| *k != largest && kids[*k].costs()).any(|k| {
        let mut least = SmallestTerms::default();
        least.of(&kids[k], term.binders(k));
        let within = |j: usize| j != k && kids[j].costs() && any_stands_in(&least.found, &kids[j], term.binders(j));
        (0..kids.len()).any(within)
    })
}

/// Whether one of the terms stands in a child with so many binders around it.
fn any_stands_in(parts: &[Term], kid: &Term, binders: u32) -> bool {
    if parts.len() <= MAX_COMPARED {
        return parts.iter().any(|part| stands_in(&part.shift(binders), 0, kid));
    }
    let all: FxHashSet<&Term> = parts.iter().collect();
    let mut found = Vec::new();
    WantedNodes::of(parts).outside(kid, binders, &mut FxHashSet::default(), &mut found);
    found.iter().any(|part| all.contains(part))
}

/// The smallest terms that cost something, hold no function and mention nothing that is bound around them: where none of these
/// stands, no larger one does, since it holds one of them.
#[derive(Default)]
struct SmallestTerms {
    found: Vec<Term>,
    /// Whether there are any, by terms and the binders around them.
    known: FxHashMap<(Term, u32), bool>,
}

impl SmallestTerms {
    fn of(&mut self, term: &Term, under: u32) -> bool {
        if !term.costs() {
            return false;
        }
        let key = (term.clone(), under);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let below = |any: bool, k: usize| self.of(&term.kid(k), under + term.binders(k)) || any;
        let mut any = (0..term.kid_count()).fold(false, below);
        if !any
            && !term.ty().has_function()
            && let Some(part) = term.lower(under)
        {
            self.found.push(part);
            any = true;
        }
        self.known.insert(key, any);
        any
    }
}

/// Whether a term stands in another one, in the scope of that; its variables below `open` may be any there, and its own
/// others are counted from these.
pub(super) fn stands_in(part: &Term, open: u32, whole: &Term) -> bool {
    let place = |index: &u32| match index.checked_sub(open) {
        None => Some(ANYWHERE),
        Some(index) => whole.places().iter().position(|own| *own == index).map(|p| p as u32),
    };
    let places: Option<VariablePlaces> = part.places().iter().map(place).collect();
    let mut search = NodeSearch { part, visited: 0, seen: FxHashSet::default() };
    places.is_some_and(|places| search.finds(whole.as_part(), places))
}

/// The places that the variables of what is looked for have among those of a node.
type VariablePlaces = SmallVec<[u32; 6]>;

/// Anywhere.
const ANYWHERE: u32 = u32::MAX;

struct NodeSearch<'a> {
    part: &'a Node,
    visited: usize,
    seen: FxHashSet<(*const Node, VariablePlaces)>,
}

impl NodeSearch<'_> {
    fn finds(&mut self, here: TermRef, places: VariablePlaces) -> bool {
        let node = here.node();
        // A node of this size holds the part only if it is the part; the fingerprint comes last, since it may not be known yet.
        if node.size() <= self.part.size() {
            let stays = |(p, place): (u32, &u32)| *place == ANYWHERE || *place == p;
            return node.size() == self.part.size()
                && node.shape() == self.part.shape()
                && (0..).zip(&places).all(stays)
                && node.fingerprint() == self.part.fingerprint();
        }
        self.visited += 1;
        // Only long searches remember, so that short ones allocate nothing for it.
        if self.visited > MEMO_AFTER_NODES && !self.seen.insert((node, places.clone())) {
            return false;
        }
        (0..node.kid_count()).any(|k| {
            let (kid, binders) = (here.part(k), node.binders(k));
            if kid.size() < self.part.size() {
                return false;
            }
            let inside = |place: &u32| match *place {
                ANYWHERE => Some(ANYWHERE),
                place => kid.places().iter().position(|p| *p == place + binders).map(|p| p as u32),
            };
            let places: Option<VariablePlaces> = places.iter().map(inside).collect();
            places.is_some_and(|places| self.finds(kid, places))
        })
    }
}

/// Nodes that are looked for, wherever their variables are.
pub(super) struct WantedNodes {
    prints: FxHashSet<u128>,
    /// The size of the smallest.
    least: u64,
}

impl WantedNodes {
    fn of<'a>(terms: impl IntoIterator<Item = &'a Term>) -> WantedNodes {
        let mut wanted = WantedNodes { prints: FxHashSet::default(), least: u64::MAX };
        terms.into_iter().for_each(|term| wanted.add(term));
        wanted
    }

    pub(super) fn is_empty(&self) -> bool {
        self.prints.is_empty()
    }

    fn add(&mut self, node: &Node) {
        self.prints.insert(node.fingerprint());
        self.least = self.least.min(node.size());
    }

    /// The nodes that stand in several children of a term, cost something and hold no function.
    pub(super) fn shared_by(term: &Term) -> WantedNodes {
        let mut wanted = WantedNodes::of([]);
        let mut first: FxHashMap<u128, usize> = FxHashMap::default();
        for (k, kid) in term.nodes().iter().enumerate() {
            let (mut waiting, mut seen): (Vec<&Node>, FxHashSet<*const Node>) = (vec![kid], FxHashSet::default());
            while let Some(node) = waiting.pop() {
                if !node.costs() || !seen.insert(node) {
                    continue;
                }
                if *first.entry(node.fingerprint()).or_insert(k) != k && !node.ty().has_function() {
                    wanted.add(node);
                }
                waiting.extend(node.nodes().iter().map(|kid| &**kid));
            }
        }
        wanted
    }

    /// Those in a term that mention none of the `under` innermost variables, without those; from left to right, those around
    /// others first.
    pub(super) fn outside(&self, term: &Term, under: u32, seen: &mut FxHashSet<(Term, u32)>, found: &mut Vec<Term>) {
        if !term.costs() || term.size() < self.least || !seen.insert((term.clone(), under)) {
            return;
        }
        if self.prints.contains(&term.fingerprint())
            && let Some(part) = term.lower(under)
        {
            found.push(part);
        }
        (0..term.kid_count()).for_each(|k| self.outside(&term.kid(k), under + term.binders(k), seen, found));
    }
}
