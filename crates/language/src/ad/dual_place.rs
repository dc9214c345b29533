//! Finds of which dual number a subterm is a part, where D wrote one.

use super::prim;
use crate::term::{Path, Term, View};

/// A place in a dual number that D wrote for the application of a primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DualPlace {
    /// Where the primal stands: the application.
    pub primal: Path,
    /// Whether the place is in the tangent.
    pub is_tangent: bool,
}

/// The innermost dual number that a place is in, where it still stands as D wrote it: rewrites may have taken it apart.
pub fn dual_place(root: &Term, place: &Path) -> Option<DualPlace> {
    let mut around = vec![root.clone()];
    for k in &place.0 {
        let next = around.last().filter(|here| (*k as usize) < here.kid_count())?.kid(*k as usize);
        around.push(next);
    }
    let steps = place.0.iter().zip(&around).enumerate().rev();
    steps
        .filter_map(|(depth, (k, here))| part(here, *k, place, depth).or_else(|| bound(&around, *k, place, depth)))
        .next()
}

/// Of the pair or the `let` at this depth, if that is a dual number.
fn part(here: &Term, k: u32, place: &Path, depth: usize) -> Option<DualPlace> {
    let at = |below: &[u32]| Path([&place.0[..depth], below].concat());
    match here.view() {
        View::Pair(..) => {
            prim::primal(here)?;
            Some(DualPlace { primal: at(&[0]), is_tangent: k == 1 })
        }
        View::Let(_, value, body) if k == 0 && depth + 1 == place.0.len() => {
            prim::primal_of_bound(&value, &body)?;
            Some(DualPlace { primal: at(&[0]), is_tangent: false })
        }
        _ => None,
    }
}

/// Of the pair at this depth, if its first half is bound to the primal just around it.
fn bound(around: &[Term], k: u32, place: &Path, depth: usize) -> Option<DualPlace> {
    let outer = depth.checked_sub(1)?;
    let View::Let(_, value, body) = around[outer].view() else { return None };
    if place.0[outer] != 1 {
        return None;
    }
    prim::primal_of_bound(&value, &body)?;
    Some(DualPlace { primal: Path([&place.0[..outer], &[0]].concat()), is_tangent: k == 1 })
}
