//! Stores what is copied where it goes (copy coalescing): a table that is copied as it is was its copy all the time.

use crate::nest::ir::value::load;
use crate::nest::ir::walk::{mentioned, renumbered, stored};
use crate::nest::ir::{Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

/// Takes away outermost loops that do nothing but copy a temporary array into a result, or into another temporary, of the same
/// shape: who stored in the one stores in the other. The copy is known nowhere before, and behind it both stay as they are.
pub(in crate::nest) fn coalesce(nest: &mut Nest) {
    let mut k = 0;
    while k < nest.body.len() {
        match copy(nest, k) {
            Some((to, from)) => {
                nest.body.remove(k);
                nest.body = renumbered(&nest.body, &|cell| if cell == from { to } else { cell });
                nest.temporaries.retain(|slot| slot.cell != from);
            }
            None => k += 1,
        }
    }
}

/// To and from where the loops of a statement copy all elements, if they may be one.
fn copy(nest: &Nest, at: usize) -> Option<(u32, u32)> {
    let (mut indices, mut sizes, mut inmost) = (Vec::new(), Vec::new(), &nest.body[at]);
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
    let whole = |place: &NestPlace, slot: &NestSlot| {
        let is_whole = !sizes.is_empty() && place.indices == indices && slot.array.dims == sizes;
        is_whole.then_some(slot.array.number)
    };
    let known = |place: &NestPlace, all: &[NestSlot]| all.iter().find(|slot| slot.cell == place.cell).cloned();
    let table = whole(from, &known(from, &nest.temporaries)?)?;
    let target = known(to, &nest.results).or_else(|| known(to, &nest.temporaries))?;
    let (before, behind) = (&nest.body[..at], &nest.body[at + 1..]);
    let is_met = mentioned(before).contains(&to.cell);
    let changes = stored(behind).into_iter().any(|cell| cell == to.cell || cell == from.cell);
    (whole(to, &target) == Some(table) && !is_met && !changes).then_some((to.cell, from.cell))
}
