//! What equations can't say, in lanes: outermost loops whose rounds go through arrays of their own and store apart from each
//! other, each round whole in its lane.
//!
//! Temporaries of a round get an element for each lane where lanes differ; what is the same in all lanes is done once. Each
//! number goes through the same operations in the same order.

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Nest, Number, Place, Range, Stmt, Strips, Value};
use super::differing::Differing;
use super::equation::Freedom;
use super::equation::value::{load, map};
use super::fused::Style;
use super::split::splits;
use super::walk::{each, rewritten};
use crate::term::{Prim, Size};

/// The most lanes that hold rows, and that hold matrices: memory grows by as much.
const MOST: [u32; 2] = [128, 8];

/// Writes such loops in strips.
pub(super) fn abreast(nest: &mut Nest, style: &Style) {
    for split in splits(nest, Freedom::Exact) {
        let Stmt::For(range, inside) = &nest.body[split.at] else { continue };
        let Value::Size(name) = &range.to else { continue };
        if !split.joined.is_empty() || split.own.is_empty() || range.step != 1 || !has_loops_alone(inside) {
            continue;
        }
        let first = nest.last_cell();
        let mut strips = Strips { base: first + 1, count: first + 2, size: Size::var(name), lanes: style.lanes };
        let lane = first + 3;
        let at = Value::Prim(Prim::Add, Number::Int, vec![load(strips.base), load(lane)]);
        let inside = rewritten(inside.clone(), &|value| at_lane(value, range.cell, &at));
        let own: FxHashMap<u32, usize> = split.own.iter().map(|slot| (slot.cell, slot.array.dims.len())).collect();
        let Some((inside, wide)) = widened(inside, lane, &own) else { continue };
        match wide.iter().map(|cell| own[cell]).max() {
            None | Some(0 | 1) => strips.lanes = strips.lanes.min(MOST[0]),
            Some(2) if style.short <= MOST[1] => strips.lanes = style.short,
            Some(_) => continue,
        }
        let lanes = Range::to(lane, "lane", load(strips.count));
        for slot in nest.temporaries.iter_mut().filter(|slot| wide.contains(&slot.cell)) {
            slot.array.dims.push(Size::literal(u64::from(strips.lanes)));
        }
        nest.body[split.at] = Stmt::Strips(strips, vec![Stmt::Lanes(lanes, inside)]);
    }
}

/// Whether there are loops inside, and none in strips or lanes.
fn has_loops_alone(inside: &[Stmt]) -> bool {
    let (mut loops, mut alone) = (false, true);
    each(inside, &mut |stmt| match stmt {
        Stmt::For(..) => loops = true,
        Stmt::Lanes(..) | Stmt::Strips(..) => alone = false,
        _ => {}
    });
    loops && alone
}

fn at_lane(value: &Value, index: u32, at: &Value) -> Value {
    map(value, &mut |part| if part == load(index) { at.clone() } else { part })
}

/// With an index more for temporaries in which lanes differ, and which these are; nothing where lanes would part.
fn widened(inside: Vec<Stmt>, lane: u32, own: &FxHashMap<u32, usize>) -> Option<(Vec<Stmt>, FxHashSet<u32>)> {
    let mut wide: FxHashSet<u32> = FxHashSet::default();
    loop {
        let now = with_lane(inside.clone(), lane, &wide);
        let differing = Differing::in_all(lane, &now);
        let before = wide.len();
        each(&now, &mut |stmt| {
            if let Stmt::Set(place, value) = stmt
                && own.contains_key(&place.cell)
                && (differing.differs(value) || differing.at(place))
            {
                wide.insert(place.cell);
            }
        });
        if wide.len() == before {
            return Differing::of(lane, &now).map(|_| (now, wide));
        }
    }
}

fn with_lane(body: Vec<Stmt>, lane: u32, wide: &FxHashSet<u32>) -> Vec<Stmt> {
    let further = |Place { cell, mut indices }: Place| {
        indices.extend(wide.contains(&cell).then(|| load(lane)));
        Place { cell, indices }
    };
    let value = |value: &Value| {
        map(value, &mut |part| match part {
            Value::Load(place) => Value::Load(further(place)),
            part => part,
        })
    };
    let one = |stmt: Stmt| match stmt.with(&mut |own| value(own), &mut |inside| with_lane(inside, lane, wide)) {
        Stmt::Set(place, value) => Stmt::Set(further(place), value),
        stmt => stmt,
    };
    body.into_iter().map(one).collect()
}
