//! Collects the subterms that a contractum has and its redex lacks. Rules that failed further out because nothing that costs
//! anything stands there twice fail again unless one of these subterms stands beside the rewrite.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use redexter_language::term::{Kind, Node, Term, TypeView};

use super::focus::Frame;

/// Nodes of which one must stand beside a rewrite for that to let a rule apply around it whose failures hang on what is
/// [repeated](super::Footprint::repeats).
///
/// If the rule applies now, a term that costs something stands in two children, and one of both holds the rewrite.
/// That one is around the contractum, which the other then holds, too; or in it and not in the redex. Where it mentions
/// a variable that the contractum binds, the other can only be an element of a table at another index.
pub struct FreshSubterms {
    nodes: Vec<Rc<Node>>,
    /// The size of the smallest.
    least: u64,
    /// Whether all cost something.
    costs: bool,
}

impl FreshSubterms {
    /// The subterms that a contractum brings in; `None` where that may be anything: around a table's element it may be the rest
    /// of the table.
    pub fn of(redex: &Term, contractum: &Term) -> Option<FreshSubterms> {
        if let Kind::Build(_) | Kind::Lam(..) = contractum.kind() {
            return None;
        }
        let mut seen: FxHashSet<PlacedNode> = FxHashSet::default();
        // Noted and not shown, so that only what the redex lacks is shown of the contractum.
        unseen(redex, &mut seen, &mut |_, _| {});
        let mut nodes = vec![contractum.held().clone()];
        unseen(contractum, &mut seen, &mut |term, under| {
            // A term that mentions a variable of the contractum's own can stand elsewhere only as an element at another index, so
            // that any variable but an index rules it out.
            if term.free().all(|(i, free)| i >= under || matches!(free.ty.view(), TypeView::Fin(_))) {
                nodes.push(term.held().clone());
            }
        });
        let least = nodes.iter().map(|node| node.size()).min().unwrap_or(0);
        Some(FreshSubterms { nodes, least, costs: contractum.costs() })
    }

    /// Whether some of it stands in these terms beside the way through them.
    pub fn stands_beside(&self, way: &[Frame]) -> bool {
        let mut seen = FxHashSet::default();
        let beside = |frame: &'_ Frame| {
            let kids = frame.term.nodes().iter().enumerate();
            kids.filter(|(k, _)| *k != frame.kid).map(|(_, kid)| kid.clone()).collect::<SmallVec<[Rc<Node>; 2]>>()
        };
        way.iter().flat_map(beside).any(|node| self.stands_in(&node, &mut seen))
    }

    fn stands_in(&self, node: &Rc<Node>, seen: &mut FxHashSet<*const Node>) -> bool {
        let mut waiting: SmallVec<[&Rc<Node>; 16]> = SmallVec::new();
        waiting.push(node);
        while let Some(node) = waiting.pop() {
            // It is too small to hold any of them, or holds no cost where each of them costs something.
            if node.size() < self.least || self.costs && !node.costs() {
                continue;
            }
            // Only a node that several hold can be met again, so that the others needn't be noted.
            if Rc::strong_count(node) > 1 && !seen.insert(Rc::as_ptr(node)) {
                continue;
            }
            if self.nodes.iter().any(|own| own.equals(node)) {
                return true;
            }
            waiting.extend(node.nodes());
        }
        false
    }
}

/// A node with its variables as the whole has them, be they bound in it or around it.
type PlacedNode = (*const Node, SmallVec<[u32; 6]>);

/// Stands for a variable that is bound in the whole.
const BOUND_WITHIN: u32 = u32::MAX;

/// Shows the terms in this one that cost something and weren't seen, with the binders around them; those in such that were seen
/// are left out.
fn unseen(whole: &Term, seen: &mut FxHashSet<PlacedNode>, see: &mut dyn FnMut(&Term, u32)) {
    let mut waiting = vec![(whole.clone(), 0)];
    while let Some((term, under)) = waiting.pop() {
        let place = |index: &u32| index.checked_sub(under).unwrap_or(BOUND_WITHIN);
        if !term.costs() || !seen.insert((Rc::as_ptr(term.held()), term.places().iter().map(place).collect())) {
            continue;
        }
        see(&term, under);
        waiting.extend((0..term.kid_count()).map(|k| (term.kid(k), under + term.binders(k))));
    }
}
