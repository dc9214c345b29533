//! Drops nodes without deep recursion, and later where nobody is to wait for it.
//!
//! Dropping what a second of work has made takes a tenth of a second. After [`postpone_drops`] a node that is dropped keeps
//! what is below it until [`drop_postponed`]. A process that ends needn't call that.

use std::cell::{Cell, RefCell};
use std::mem::{ManuallyDrop, take};
use std::rc::Rc;

use smallvec::SmallVec;

use super::node::Node;

type Kids = SmallVec<[Rc<Node>; 2]>;

/// Up to this depth a node may be dropped by recursion.
const MAX_RECURSIVE_DEPTH: u32 = 1_000;

struct Drops {
    /// [`MAX_RECURSIVE_DEPTH`], and 0 while drops are postponed.
    shallow: Cell<u32>,
    /// Not dropped where the thread ends: that may be because the process does.
    postponed: ManuallyDrop<RefCell<Vec<Kids>>>,
}

thread_local! {
    static DROPS: Drops = const {
        Drops { shallow: Cell::new(MAX_RECURSIVE_DEPTH), postponed: ManuallyDrop::new(RefCell::new(Vec::new())) }
    };
}

/// From now on this thread keeps what is below nodes that it drops.
pub fn postpone_drops() {
    DROPS.with(|drops| drops.shallow.set(0));
}

/// Drops what was kept, and from now on at once.
pub fn drop_postponed() {
    // Nodes that are dropped ask `DROPS` how: so this happens when it is set and no longer borrowed.
    drop(DROPS.with(|drops| {
        drops.shallow.set(MAX_RECURSIVE_DEPTH);
        drops.postponed.take()
    }));
}

/// Up to which depth a node may be dropped by recursion.
#[inline(always)]
pub(super) fn shallow() -> u32 {
    DROPS.with(|drops| drops.shallow.get())
}

/// Takes from a node that is dropped, and is deeper, all that it holds alone.
#[inline(never)]
pub(super) fn unlink_all(kids: &mut Kids) {
    if shallow() == 0 {
        return DROPS.with(|drops| drops.postponed.borrow_mut().push(take(kids)));
    }
    let mut waiting = Vec::new();
    unlink(kids, &mut waiting);
    while let Some(mut kids) = waiting.pop() {
        unlink(&mut kids, &mut waiting);
    }
}

/// Takes their children from deep nodes that nobody else holds.
fn unlink(kids: &mut [Rc<Node>], waiting: &mut Vec<Kids>) {
    for kid in kids {
        if kid.depth > MAX_RECURSIVE_DEPTH
            && let Some(last) = Rc::get_mut(kid)
        {
            waiting.push(take(&mut last.kids));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{drop_postponed, postpone_drops};
    use crate::term::{Prim, Term};

    #[test]
    fn what_is_below_is_dropped_when_it_is_asked_for() {
        let leaf = Term::real(0.123);
        let sum = |a: &Term, b: &Term| Term::prim(Prim::Add, vec![a.clone(), b.clone()]).expect("a sum");
        let deep = |depth: u32| (0..depth).fold(leaf.clone(), |all, _| sum(&all, &leaf));
        let held = Rc::strong_count(&leaf.node);
        for depth in [3, 3_000] {
            let (one, other) = (deep(depth), deep(depth));
            drop(one);
            assert_eq!(Rc::strong_count(&leaf.node), held + depth as usize + 1);
            postpone_drops();
            drop(other);
            assert_eq!(Rc::strong_count(&leaf.node), held + depth as usize + 1);
            drop_postponed();
            assert_eq!(Rc::strong_count(&leaf.node), held);
            drop(deep(depth));
            assert_eq!(Rc::strong_count(&leaf.node), held);
        }
    }
}
