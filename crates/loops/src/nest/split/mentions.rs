//! Finds what statements read, store and declare.

use rustc_hash::FxHashSet;

use crate::nest::ir::walk::places;
use crate::nest::ir::{NestSlot, Stmt};

/// All that is read or stored.
pub(super) fn mentioned<'a>(body: impl IntoIterator<Item = &'a Stmt>) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    places(body, &mut |place| {
        all.insert(place.cell);
    });
    all
}

/// Numbers that outermost statements declare.
pub(super) fn in_order(body: &[Stmt]) -> impl Iterator<Item = &NestSlot> {
    body.iter().filter_map(|stmt| match stmt {
        Stmt::Let(slot, _) | Stmt::Var(slot) => Some(slot),
        _ => None,
    })
}
