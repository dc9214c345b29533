//! Computes reciprocals once, where numbers needn't be exact: who divides by the same number more than once multiplies instead.

use rustc_hash::FxHashMap;

use super::{Equation, EquationBody, EquationSystem, StripLayout};
use crate::nest::ir::value::{load, map, replace, walk};
use crate::nest::ir::{NestPlace, NestSlot, NestValue, ScalarKind};
use redexter_language::term::Prim;

/// How often is divided by a number.
#[derive(Clone, Copy, Default)]
struct DivisionCount {
    times: usize,
    /// The most loops around a division.
    loops: usize,
}

/// `x / t` becomes `x * r`, with an equation for `r` that is `1 / t`.
pub(super) fn reciprocals(system: &mut EquationSystem) {
    let mut divided: FxHashMap<u32, DivisionCount> = FxHashMap::default();
    for equation in &system.equations {
        let (own, loops) = (equation.cells(), equation.dims.len() + usize::from(equation.over().is_some()));
        equation.each(&mut |value| {
            walk(value, &mut |part| {
                // A loop's own state is another number in each iteration.
                if let Some((_, place)) = quotient(part).filter(|(_, place)| !own.contains(&place.cell)) {
                    let divided = divided.entry(place.cell).or_default();
                    *divided = DivisionCount { times: divided.times + 1, loops: divided.loops.max(loops) };
                }
            });
        });
    }
    let mut made = Vec::new();
    for k in 0..system.equations.len() {
        for cell in system.equations[k].cells() {
            let dims = system.equations[k].dims.len();
            // One division counts as several, too, where it stands in more loops than what it divides by.
            if divided.get(&cell).is_some_and(|d| d.times > 1 || d.loops > dims) {
                let (equation, slot) = reciprocal(system, k, cell);
                made.push((cell, slot.cell));
                system.equations.push(equation);
            }
        }
    }
    let made: FxHashMap<u32, u32> = made.into_iter().collect();
    for equation in &mut system.equations {
        let own = equation.cells();
        let other = |place: &NestPlace| {
            let found = made.get(&place.cell)?;
            // The reciprocal's own equation must go on dividing, otherwise it would be made of itself.
            (!own.contains(&place.cell) && !own.contains(found)).then_some(*found)
        };
        equation.rewrite(&mut |value| {
            map(value, &mut |part| match quotient(&part) {
                Some((by, place)) => other(place).map_or_else(|| part.clone(), |cell| product(by, cell, place)),
                None => part,
            })
        });
    }
}

/// What is divided by which number, if that is one of an equation.
fn quotient(value: &NestValue) -> Option<(&NestValue, &NestPlace)> {
    let NestValue::Prim(Prim::Div, ScalarKind::Real, operands) = value else { return None };
    match &operands[..] {
        [by, NestValue::Load(place)] => Some((by, place)),
        _ => None,
    }
}

fn product(by: &NestValue, cell: u32, place: &NestPlace) -> NestValue {
    let reciprocal = NestValue::Load(NestPlace { cell, indices: place.indices.clone() });
    match by {
        NestValue::Real(1.0) => reciprocal,
        by => NestValue::Prim(Prim::Mul, ScalarKind::Real, vec![by.clone(), reciprocal]),
    }
}

fn reciprocal(system: &mut EquationSystem, k: usize, cell: u32) -> (Equation, NestSlot) {
    let own = system.equations[k].dims.clone();
    let dims: Vec<_> = own.iter().map(|index| system.index_like(index)).collect();
    let names = own.iter().map(|index| index.cell).zip(dims.iter().map(|index| load(index.cell))).collect();
    // The number is there only where its own guards hold, so that its reciprocal may be asked for there alone.
    let guards = system.equations[k].guards.iter().map(|guard| replace(guard, &names)).collect();
    let slot = system.number("over", ScalarKind::Real);
    let indices = dims.iter().map(|index| load(index.cell)).collect();
    let value = NestValue::Prim(
        Prim::Div,
        ScalarKind::Real,
        vec![NestValue::Real(1.0), NestValue::Load(NestPlace { cell, indices })],
    );
    let work = EquationBody::Map(slot.clone(), value);
    (Equation { dims, work, guards, layout: StripLayout::Lanes }, slot)
}
