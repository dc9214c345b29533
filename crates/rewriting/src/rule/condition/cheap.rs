//! Recognises values that cost nothing where they are used, so that substituting them repeats no work.

use redexter_language::term::{Kind, Node, Term, TermRef, View};

/// Whether variable 0 of `scope` may be replaced by `value` as often as it occurs because that costs no flops, compares or
/// rounds: a build whose every use is indexed costs what its elements do.
pub(in super::super) fn is_cheap(value: &Node, scope: TermRef) -> bool {
    // A use of a build as a whole, or of a row of it, would make the array again, so that each use needs all indices.
    let indexed = |deep| deep == 0 || indexed(&scope.to_term(), 0, deep);
    matches!(value.kind(), Kind::Lam(..)) || levels(value).is_some_and(indexed)
}

/// How many builds stand around an element that costs nothing.
pub(in super::super) fn levels(element: &Node) -> Option<u32> {
    match (element.kind(), element.nodes()) {
        _ if !element.costs() => Some(0),
        (Kind::Build(_), [f]) if matches!(f.kind(), Kind::Lam(..)) => Some(levels(&f.nodes()[0])? + 1),
        _ => None,
    }
}

/// Whether each use of variable `t` is indexed at least so often.
pub(in super::super) fn indexed(term: &Term, t: u32, times: u32) -> bool {
    if term.free_at(t).is_none() {
        return true;
    }
    let (mut root, mut gets) = (term.clone(), 0);
    while let View::Get(array, k) = root.view() {
        if !indexed(&k, t, times) {
            return false;
        }
        (root, gets) = (array, gets + 1);
    }
    match root.view() {
        View::Var(x) => x != t || gets >= times,
        _ => (0..root.kid_count()).all(|k| indexed(&root.kid(k), t + root.binders(k), times)),
    }
}
