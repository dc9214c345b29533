//! Computes reciprocals once, where numbers needn't be exact: who divides by the same number more than once multiplies instead.

use rustc_hash::FxHashMap;

use super::{Equation, Layout, System, Work};
use crate::nest::ir::value::{load, map, replace, walk};
use crate::nest::ir::{Number, Place, Slot, Value};
use redexter_language::term::Prim;

/// How often is divided by a number.
#[derive(Clone, Copy, Default)]
struct Divided {
    times: usize,
    /// The most loops around a division.
    loops: usize,
}

/// `x / t` becomes `x * r`, with an equation for `r` that is `1 / t`.
pub(super) fn reciprocals(system: &mut System) {
    let mut divided: FxHashMap<u32, Divided> = FxHashMap::default();
    for equation in &system.equations {
        let (own, loops) = (equation.cells(), equation.dims.len() + usize::from(equation.over().is_some()));
        equation.each(&mut |value| {
            walk(value, &mut |part| {
                // A loop's own state is another number in each iteration.
                if let Some((_, place)) = quotient(part).filter(|(_, place)| !own.contains(&place.cell)) {
                    let divided = divided.entry(place.cell).or_default();
                    *divided = Divided { times: divided.times + 1, loops: divided.loops.max(loops) };
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
        let other = |place: &Place| {
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
fn quotient(value: &Value) -> Option<(&Value, &Place)> {
    let Value::Prim(Prim::Div, Number::Real, operands) = value else { return None };
    match &operands[..] {
        [by, Value::Load(place)] => Some((by, place)),
        _ => None,
    }
}

fn product(by: &Value, cell: u32, place: &Place) -> Value {
    let reciprocal = Value::Load(Place { cell, indices: place.indices.clone() });
    match by {
        Value::Real(1.0) => reciprocal,
        by => Value::Prim(Prim::Mul, Number::Real, vec![by.clone(), reciprocal]),
    }
}

fn reciprocal(system: &mut System, k: usize, cell: u32) -> (Equation, Slot) {
    let own = system.equations[k].dims.clone();
    let dims: Vec<_> = own.iter().map(|index| system.index_like(index)).collect();
    let names = own.iter().map(|index| index.cell).zip(dims.iter().map(|index| load(index.cell))).collect();
    // The number is there only where its own guards hold, so that its reciprocal may be asked for there alone.
    let guards = system.equations[k].guards.iter().map(|guard| replace(guard, &names)).collect();
    let slot = system.number("over", Number::Real);
    let indices = dims.iter().map(|index| load(index.cell)).collect();
    let value = Value::Prim(Prim::Div, Number::Real, vec![Value::Real(1.0), Value::Load(Place { cell, indices })]);
    let work = Work::Map(slot.clone(), value);
    (Equation { dims, work, guards, layout: Layout::Lanes }, slot)
}
