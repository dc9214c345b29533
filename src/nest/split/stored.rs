//! What is stored, declared and asked in statements.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nest::ir::walk::places;
use crate::nest::ir::{Slot, Stmt, each};

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
