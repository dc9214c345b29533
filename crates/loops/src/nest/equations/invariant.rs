//! Hoists loop-invariant parts: what doesn't depend on the streamed index, inside of what does, is computed before.

use rustc_hash::FxHashSet;

use super::read::negated;
use super::required::required;
use super::{Equation, EquationBody, EquationSystem, StripLayout};
use crate::nest::ir::value::{is_condition, load, walk};
use crate::nest::ir::{DenseArray, NestPlace, NestSlot, NestValue, ScalarKind};
use redexter_language::term::Prim;

/// Takes such parts out of the equations that depend on the streamed size, the first of the order.
pub(super) fn invariant(system: &mut EquationSystem) {
    let Some(stream) = system.order.first().cloned() else { return };
    let mut numbers = rustc_hash::FxHashMap::default();
    for equation in &system.equations {
        match &equation.work {
            EquationBody::Map(slot, _) => numbers.extend([(slot.cell, slot.array.number)]),
            EquationBody::Fold(fold) => {
                numbers.extend(fold.states.iter().map(|state| (state.slot.cell, state.slot.array.number)));
            }
            EquationBody::Scatter(scatter) => {
                numbers.extend([(scatter.sum.slot.cell, scatter.sum.slot.array.number)]);
            }
            EquationBody::Out(..) => {}
        }
    }
    numbers.extend(system.parameters.iter().map(|slot| (slot.cell, slot.array.number)));
    let mut before: Vec<Equation> = Vec::new();
    let defined = system.defined();
    // New cells are counted here and claimed in the end, since `system` is borrowed while parts are looked through.
    let (first, mut made) = (system.cells, 0);
    for k in 0..system.equations.len() {
        let equation = &system.equations[k];
        let loops: Vec<u32> = equation.around().chain(equation.over()).map(|index| index.cell).collect();
        let streamed = loops.iter().any(|cell| system.indices[cell].size == stream);
        if !streamed || matches!(equation.work, EquationBody::Out(..)) {
            continue;
        }
        let states = equation.cells();
        let mut equation = system.equations[k].clone();
        let (own, mut path) = (equation.guards.clone(), Vec::new());
        let mut taken: Vec<(NestValue, NestValue, usize)> = Vec::new();
        let work = &mut |value: &NestValue| {
            out_of(value, &mut path, &mut |part, path| {
                // A part with as many indices as there are loops would be computed as often as where it stands now.
                let free = indices(system, part);
                if free.is_empty()
                    || free.len() >= loops.len()
                    || free.iter().any(|cell| system.indices[cell].size == stream)
                {
                    return None;
                }
                // Conditions stay, since loops are split and guarded by comparisons as they stand. What reads a state of the
                // loop itself is another in each iteration.
                let mut fits = is_worth(part) && !is_condition(part) && !system.is_divided_index(part);
                walk(part, &mut |inner| {
                    fits &= !matches!(inner, NestValue::Load(place) if states.contains(&place.cell))
                });
                // What it reads may be there under conditions that can't be asked around the loop.
                let mut needed = Vec::new();
                required(system, &defined, part, &mut needed);
                fits &= needed.iter().all(|guard| is_condition(guard) && indices(system, guard).is_subset(&free));
                if !fits {
                    return None;
                }
                // Where nobody asks for the whole nobody has computed what the part reads.
                let under = |guard: &&NestValue| is_condition(guard) && indices(system, guard).is_subset(&free);
                let guards: Vec<NestValue> = own.iter().chain(path).filter(under).cloned().collect();
                if let Some((_, known, place)) = taken.iter().find(|(value, ..)| value == part) {
                    // It is asked for in both places, so that only guards on which both agree stay.
                    let first: &mut Equation = &mut before[*place];
                    first.guards.retain(|guard| guards.contains(guard));
                    return Some(known.clone());
                }
                // What has no entry is an index, an integer.
                let kind = part.number(&|cell| numbers.get(&cell).copied().unwrap_or(ScalarKind::Int));
                made += 1;
                let slot = NestSlot {
                    cell: first + made,
                    hint: "same".into(),
                    array: DenseArray { dims: Vec::new(), number: kind },
                };
                let dims = system.sorted(free.into_iter().collect());
                let at = dims.iter().map(|index| load(index.cell)).collect();
                let read = NestValue::Load(NestPlace { cell: slot.cell, indices: at });
                taken.push((part.clone(), read.clone(), before.len()));
                before.push(Equation {
                    dims,
                    work: EquationBody::Map(slot, part.clone()),
                    guards,
                    layout: StripLayout::Lanes,
                });
                Some(read)
            })
        };
        equation.rewrite(work);
        system.equations[k] = equation;
    }
    system.cells += made;
    system.equations.extend(before);
}

/// The largest parts for which something else is given; each knows the conditions under which it is computed.
fn out_of(
    value: &NestValue,
    path: &mut Vec<NestValue>,
    each: &mut impl FnMut(&NestValue, &[NestValue]) -> Option<NestValue>,
) -> NestValue {
    if let Some(other) = each(value, path) {
        return other;
    }
    match value {
        NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) | NestValue::Load(_) => value.clone(),
        NestValue::Prim(prim, first, operands) => {
            NestValue::Prim(*prim, *first, operands.iter().map(|operand| out_of(operand, path, each)).collect())
        }
        NestValue::Truth(a) => NestValue::Truth(Box::new(out_of(a, path, each))),
        NestValue::Select(p) => {
            let condition = out_of(&p.0, path, each);
            let mut side = |guard: NestValue, side: &NestValue| {
                // What stands on a side of a choice is asked for only where that side is taken.
                path.push(guard);
                let side = out_of(side, path, each);
                path.pop();
                side
            };
            let (a, b) = (side(p.0.clone(), &p.1), side(negated(&p.0), &p.2));
            NestValue::Select(Box::new((condition, a, b)))
        }
    }
}

fn indices(system: &EquationSystem, value: &NestValue) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    walk(value, &mut |part| match part {
        NestValue::Load(place) if system.indices.contains_key(&place.cell) => drop(all.insert(place.cell)),
        _ => {}
    });
    all
}

/// More than a sum or a comparison.
fn is_worth(value: &NestValue) -> bool {
    match value {
        NestValue::Select(_) => true,
        NestValue::Prim(prim, _, operands) => {
            let cheap = matches!(prim, Prim::Add | Prim::Sub | Prim::ToReal | Prim::ToInt | Prim::Offset(_))
                || prim.class().is_truth();
            !cheap || operands.iter().any(is_worth)
        }
        _ => false,
    }
}
