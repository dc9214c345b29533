//! Vectorises outer loops of programs that equations can't say: independent iterations run side by side, one per lane, each
//! whole in its lane.
//!
//! Temporaries of an iteration get an element for each lane where lanes differ; what is the same in all lanes is done once. Each
//! number goes through the same operations in the same order. It is done where an iteration waits for sums in its inner loops,
//! and where what it holds is little beside all operations: as long as there are iterations, or rows with sums as long for each
//! number.

use rustc_hash::FxHashSet;

use super::strip::Strip;
use crate::nest::NestStyle;
use crate::nest::dependence::Divergence;
use crate::nest::equations::Freedom;
use crate::nest::ir::value::{load, map};
use crate::nest::ir::walk::{each, moved};
use crate::nest::ir::{Nest, NestPlace, NestSlot, NestValue, Stmt};
use crate::nest::split::splits;
use redexter_language::term::Size;

/// The most lanes that hold rows: memory grows by as much.
const MAX_LANES: u32 = 128;

/// Of the lanes of a strip there are so many times fewer where they hold matrices.
const MATRIX_LANES_DIVISOR: u32 = 4;

/// Writes such loops in strips, where they run over one size.
pub(in crate::nest) fn vectorize_outer(nest: &mut Nest, style: &NestStyle) {
    // Loops that gather something are left out below, so that freedom would find no others.
    for split in splits(nest, Freedom::Exact) {
        let Stmt::For(range, inside) = &nest.body[split.at] else { continue };
        let NestValue::Size(name) = &range.to else { continue };
        if !split.joined.is_empty() || split.own.is_empty() || !waits(inside, 0) {
            continue;
        }
        let (strip, size) = (Strip::behind(nest.last_cell()), Size::var(name));
        let inside = strip.iteration(range, inside);
        let Some((inside, wide)) = widened(inside, strip.lane, &split.own) else { continue };
        let lanes = match wide.iter().map(|slot| slot.array.dims.len()).max() {
            _ if !wide.iter().all(|slot| is_little(slot, &size, &inside)) => continue,
            None | Some(0 | 1) => style.lanes.min(MAX_LANES),
            Some(2) => style.lanes / MATRIX_LANES_DIVISOR,
            Some(_) => continue,
        };
        let wide: FxHashSet<u32> = wide.iter().map(|slot| slot.cell).collect();
        for slot in nest.temporaries.iter_mut().filter(|slot| wide.contains(&slot.cell)) {
            // The lane is the last dimension, so that lanes lie side by side.
            slot.array.dims.push(Size::literal(u64::from(lanes)));
        }
        nest.body[split.at] = strip.around(&"lane".into(), inside, size, lanes);
    }
}

/// Whether a loop in a loop of the iteration goes on with a number that its iteration before left: its latency is what lanes
/// hide.
fn waits(body: &[Stmt], depth: usize) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::For(_, inside) if depth > 0 && goes_on_with_its_own(inside) => true,
        Stmt::For(_, inside) => waits(inside, depth + 1),
        Stmt::If(_, a, b) => waits(a, depth) || waits(b, depth),
        _ => false,
    })
}

/// Whether a temporary has a dimension as long as there are iterations, or is a row for each number of which a sum as long is
/// computed.
fn is_little(slot: &NestSlot, rounds: &Size, inside: &[Stmt]) -> bool {
    match &slot.array.dims[..] {
        dims if dims.contains(rounds) => true,
        [n] => has_square(inside, &NestValue::of(n), false),
        _ => false,
    }
}

/// Whether a loop of so many iterations stands in one of as many, and waits.
fn has_square(body: &[Stmt], n: &NestValue, within: bool) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::For(range, inside) if range.to == *n => {
            (within && goes_on_with_its_own(inside)) || has_square(inside, n, true)
        }
        stmt => stmt.inside().iter().any(|inside| has_square(inside, n, within)),
    })
}

/// Whether numbers are set that the iteration before set, too.
fn goes_on_with_its_own(round: &[Stmt]) -> bool {
    let (mut declared, mut found) = (FxHashSet::default(), false);
    each(round, &mut |stmt| match stmt {
        Stmt::Let(slot, _) | Stmt::Var(slot) => drop(declared.insert(slot.cell)),
        Stmt::Set(place, _) => found |= place.indices.is_empty() && !declared.contains(&place.cell),
        _ => {}
    });
    found
}

/// With an index more for temporaries in which lanes differ, and which these are; nothing where lanes would part.
fn widened(inside: Vec<Stmt>, lane: u32, own: &[NestSlot]) -> Option<(Vec<Stmt>, Vec<&NestSlot>)> {
    let all: FxHashSet<u32> = own.iter().map(|slot| slot.cell).collect();
    let differing = Divergence::with(lane, &inside, &|cell| all.contains(&cell));
    let wide: Vec<&NestSlot> = own.iter().filter(|slot| differing.has(slot.cell)).collect();
    let cells = wide.iter().map(|slot| slot.cell).collect();
    let inside = with_lane(inside, lane, &cells);
    // It is asked of the statements with their new index: without it lanes would still share the temporaries.
    Divergence::of(lane, &inside).map(|_| (inside, wide))
}

fn with_lane(body: Vec<Stmt>, lane: u32, wide: &FxHashSet<u32>) -> Vec<Stmt> {
    let further = |NestPlace { cell, mut indices }: NestPlace| {
        indices.extend(wide.contains(&cell).then(|| load(lane)));
        NestPlace { cell, indices }
    };
    let value = |value: &NestValue| {
        map(value, &mut |part| match part {
            NestValue::Load(place) => NestValue::Load(further(place)),
            part => part,
        })
    };
    moved(body, &value, &further)
}
