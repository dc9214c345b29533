//! Stores results where they belong: a table that is copied into a result as it is was that result all the time.

use crate::nest::ir::value::load;
use crate::nest::ir::walk::{places, renumbered};
use crate::nest::ir::{Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

/// Takes away outermost loops that do nothing but copy a temporary array into a result of the same shape: who stored in the one
/// stores in the other.
pub(in crate::nest) fn store_results(nest: &mut Nest) {
    let mut k = 0;
    while k < nest.body.len() {
        match copy(nest, &nest.body[k]) {
            Some((to, from)) => {
                nest.body.remove(k);
                nest.body = renumbered(&nest.body, &|cell| if cell == from { to } else { cell });
                nest.temporaries.retain(|slot| slot.cell != from);
            }
            None => k += 1,
        }
    }
}

/// To and from where loops copy all elements, if nothing else is done with the result.
fn copy(nest: &Nest, stmt: &Stmt) -> Option<(u32, u32)> {
    let (mut indices, mut sizes, mut inmost) = (Vec::new(), Vec::new(), stmt);
    loop {
        let (index, size, inside) = match inmost {
            Stmt::Set(..) => break,
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) if range.is_whole() => {
                (load(range.cell), range.to.as_size()?, inside)
            }
            Stmt::Strips(strips, inside) => match &inside[..] {
                [Stmt::For(range, inside) | Stmt::Lanes(range, inside)]
                    if range.is_whole() && range.to == load(strips.count) =>
                {
                    let at = vec![load(strips.base), load(range.cell)];
                    (NestValue::Prim(Prim::Add, ScalarKind::Int, at), strips.size.clone(), inside)
                }
                _ => return None,
            },
            _ => return None,
        };
        let [only] = &inside[..] else { return None };
        indices.push(index);
        sizes.push(size);
        inmost = only;
    }
    let Stmt::Set(to, NestValue::Load(from)) = inmost else { return None };
    let is_whole = |all: &[NestSlot], place: &NestPlace| {
        let slot = all.iter().find(|slot| slot.cell == place.cell)?;
        (!sizes.is_empty() && place.indices == indices && slot.array.dims == sizes).then_some(slot.array.number)
    };
    let (result, table) = (is_whole(&nest.results, to)?, is_whole(&nest.temporaries, from)?);
    let mut met = 0;
    places(&nest.body, &mut |place| met += usize::from(place.cell == to.cell));
    (result == table && met == 1).then_some((to.cell, from.cell))
}
