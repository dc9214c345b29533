//! Gives an array the space of another that nobody reads any more.

use rustc_hash::FxHashMap;

use crate::nest::ir::walk::{mentioned, renumbered};
use crate::nest::ir::{Nest, NestSlot, ScalarKind};
use redexter_language::ground::order::InOrder;

/// Of temporaries that several outermost statements mention, each gets the space of one of the same shape that was mentioned last
/// before it is stored: it is the same slot from there on. One that a single statement mentions keeps its own, since threads that
/// share the statement out have one each; so do integers, of which is known what they are below.
pub(in crate::nest) fn reuse_space(nest: &mut Nest) {
    let mut spans: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
    for (at, stmt) in nest.body.iter().enumerate() {
        for cell in mentioned([stmt]) {
            spans.entry(cell).or_insert((at, at)).1 = at;
        }
    }
    let span = |slot: &NestSlot| {
        let is_real = slot.array.number == ScalarKind::Real;
        spans.get(&slot.cell).copied().filter(|(first, last)| is_real && first < last)
    };
    let mut crossing: Vec<(NestSlot, (usize, usize))> =
        nest.temporaries.iter().filter_map(|slot| Some((slot.clone(), span(slot)?))).collect();
    // Those that begin together have the order in which they are listed.
    crossing.order_by_key(|(_, (first, _))| *first);
    // Slots in use, each with the statement that mentions it last.
    let mut kept: Vec<(NestSlot, usize)> = Vec::new();
    let mut owner: FxHashMap<u32, u32> = FxHashMap::default();
    for (slot, (first, last)) in crossing {
        let fits = |(own, end): &&mut (NestSlot, usize)| *end < first && own.array.dims == slot.array.dims;
        match kept.iter_mut().find(fits) {
            Some((own, end)) => {
                *end = last;
                owner.insert(slot.cell, own.cell);
            }
            None => kept.push((slot, last)),
        }
    }
    if owner.is_empty() {
        return;
    }
    nest.body = renumbered(&nest.body, &|cell| owner.get(&cell).copied().unwrap_or(cell));
    nest.temporaries.retain(|slot| !owner.contains_key(&slot.cell));
}
