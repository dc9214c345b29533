//! What is stored, declared and asked in statements.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nest::code::{Place, Range, Slot, Stmt, Value};
use crate::nest::walk::{each, places};

/// All that is read or stored.
pub(super) fn mentioned<'a>(body: impl IntoIterator<Item = &'a Stmt>) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    places(body, &mut |place| {
        all.insert(place.cell);
    });
    all
}

/// Numbers that are declared.
pub(super) fn declared(body: &[Stmt]) -> FxHashMap<u32, Slot> {
    let mut all = FxHashMap::default();
    each(body, &mut |stmt| {
        if let Stmt::Let(slot, _) | Stmt::Var(slot) = stmt {
            all.insert(slot.cell, slot.clone());
        }
    });
    all
}

/// Numbers that outermost statements declare.
pub(super) fn in_order(body: &[Stmt]) -> impl Iterator<Item = &Slot> {
    body.iter().filter_map(|stmt| match stmt {
        Stmt::Let(slot, _) | Stmt::Var(slot) => Some(slot),
        _ => None,
    })
}

/// Does something with the range of each loop.
pub(super) fn ranges(body: &[Stmt], work: &mut dyn FnMut(&Range)) {
    each(body, &mut |stmt| {
        if let Stmt::For(range, _) | Stmt::Lanes(range, _) = stmt {
            work(range);
        }
    });
}

/// Does something with each number that is stored, and the condition of a branch that stores it and nothing else.
pub(super) fn sets<'a>(body: &'a [Stmt], work: &mut dyn FnMut(Option<&'a Value>, &'a Place, &'a Value)) {
    let mut alone = Vec::new();
    each(body, &mut |stmt| match stmt {
        Stmt::If(condition, a, b) => {
            if let ([set @ Stmt::Set(place, value)], []) = (&a[..], &b[..]) {
                alone.push(std::ptr::from_ref(set));
                work(Some(condition), place, value);
            }
        }
        Stmt::Set(place, value) if !alone.contains(&std::ptr::from_ref(stmt)) => work(None, place, value),
        _ => {}
    });
}

/// Does something with each value that isn't stored, but asked, declared or runs to; not with conditions of branches that store
/// a number and nothing else.
pub(super) fn asked<'a>(body: &'a [Stmt], work: &mut dyn FnMut(&'a Value)) {
    each(body, &mut |stmt| match stmt {
        Stmt::Let(_, value) => work(value),
        Stmt::If(_, a, b) if matches!((&a[..], &b[..]), ([Stmt::Set(..)], [])) => {}
        Stmt::If(condition, ..) => work(condition),
        Stmt::For(range, _) | Stmt::Lanes(range, _) => {
            [&range.from, &range.to].into_iter().chain(&range.most).for_each(&mut *work);
        }
        Stmt::Var(_) | Stmt::Set(..) | Stmt::Strips(..) => {}
    });
}
