//! Says under which conditions a value can be computed: what it reads may have been computed under these alone.

use rustc_hash::FxHashMap;

use super::{Equation, EquationBody, EquationSystem};
use crate::nest::ir::value::{is_condition, replace};
use crate::nest::ir::{NestValue, ScalarKind};
use redexter_language::term::Prim;

/// Guards each equation by what guards the equations that it reads outside of its choices. Nobody asks for it elsewhere, since
/// there it couldn't be computed; but its own guards may not say so: those on which all who ask agree may be fewer.
pub(super) fn guard(system: &mut EquationSystem) {
    let defined = system.defined();
    // Equations stand behind what they read, so that the guards of that are known.
    for k in 0..system.equations.len() {
        let equation = &system.equations[k];
        // All of a result is asked for.
        if matches!(equation.work, EquationBody::Out(..)) {
            continue;
        }
        let mut all = Vec::new();
        equation.each(&mut |value| required(system, &defined, value, &mut all));
        // What hangs on the round of a loop can't be asked around the loop.
        let is_around = |guard: &NestValue| is_condition(guard) && hangs_on_dims_alone(system, equation, guard);
        all.retain(|guard| is_around(guard) && !equation.guards.contains(guard));
        system.equations[k].guards.extend(all);
    }
}

/// Adds the conditions under which there is what a value reads outside of its choices; each once.
pub(super) fn required(
    system: &EquationSystem,
    defined: &FxHashMap<u32, usize>,
    value: &NestValue,
    all: &mut Vec<NestValue>,
) {
    if let NestValue::Select(p) = value {
        // Its sides are asked for under the condition alone, which says when they are there.
        return required(system, defined, &p.0, all);
    }
    if let NestValue::Load(place) = value
        && let Some(k) = defined.get(&place.cell)
    {
        let equation = &system.equations[*k];
        let indices = equation.dims.iter().map(|index| index.cell).zip(place.indices.iter().cloned()).collect();
        for guard in equation.guards.iter().map(|guard| replace(guard, &indices)) {
            if !is_plain(&guard) && !all.contains(&guard) {
                all.push(guard);
            }
        }
    }
    value.each_part(&mut |part| required(system, defined, part, all));
}

/// Whether it compares a number with itself, and holds.
fn is_plain(guard: &NestValue) -> bool {
    match guard {
        NestValue::Prim(Prim::Le | Prim::Ge | Prim::Eq, ScalarKind::Int, operands) => {
            operands.windows(2).all(|both| both[0] == both[1])
        }
        _ => false,
    }
}

fn hangs_on_dims_alone(system: &EquationSystem, equation: &Equation, guard: &NestValue) -> bool {
    let mut found = true;
    guard.places(&mut |place| {
        let is_index = system.indices.contains_key(&place.cell);
        found &= !is_index || equation.around().any(|index| index.cell == place.cell);
    });
    found
}
