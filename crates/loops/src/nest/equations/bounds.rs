//! Finds loops whose iterations depend on how their index stands to one around, and guards what is asked for under such
//! comparisons alone.

use super::relation::{IndexRelation, under};
use super::simplify::in_order;
use super::{Equation, EquationBody, EquationSystem};
use crate::nest::ir::value::{load, walk};
use crate::nest::ir::{NestValue, ScalarKind};
use redexter_language::term::Prim;

/// Loops whose index is compared with one around it know that one, and what is asked for under such a comparison alone is
/// computed there.
pub(super) fn bounds(system: &mut EquationSystem) {
    for equation in &mut system.equations {
        bound(equation);
    }
    // Then all readers of an equation stand behind it. They are gone through backwards, so that their own guards are known when
    // it asks.
    in_order(system);
    for k in (0..system.equations.len()).rev() {
        let guards = asked(system, k);
        let own = &mut system.equations[k].guards;
        own.extend(guards.into_iter().filter(|guard| !own.contains(guard)).collect::<Vec<_>>());
    }
}

/// How two dimensions of the same size stand to each other where somebody reads an equation.
fn asked(system: &EquationSystem, k: usize) -> Vec<NestValue> {
    let (equation, cells) = (&system.equations[k], system.equations[k].cells());
    let mut guards = Vec::new();
    for (a, first) in equation.dims.iter().enumerate() {
        for (b, second) in equation.dims.iter().enumerate().skip(a + 1).filter(|(_, other)| other.size == first.size) {
            let mut needed = [false; 3];
            for reader in &system.equations[k + 1..] {
                reader.each(&mut |value| needs(system, reader, value, &cells, (a, b), &mut needed));
            }
            // Where all three are needed there is nothing to guard; `!=` would make no loop's range shorter.
            let prim = match needed {
                [true, true, false] => Prim::Le,
                [true, false, false] => Prim::Lt,
                [false, true, false] => Prim::Eq,
                [false, true, true] => Prim::Ge,
                [false, false, true] => Prim::Gt,
                _ => continue,
            };
            guards.push(NestValue::Prim(prim, ScalarKind::Int, vec![load(first.cell), load(second.cell)]));
        }
    }
    guards
}

/// Under which relations a value of a reader reads these cells, of their dimensions at two positions.
fn needs(
    system: &EquationSystem,
    reader: &Equation,
    value: &NestValue,
    cells: &[u32],
    (a, b): (usize, usize),
    needed: &mut [bool; 3],
) {
    let mut sites = Vec::new();
    walk(value, &mut |part| match part {
        NestValue::Load(place) if cells.contains(&place.cell) && !sites.contains(&place) => sites.push(place),
        _ => {}
    });
    for place in sites {
        let index = |value: &NestValue| match value {
            NestValue::Load(place) if system.indices.contains_key(&place.cell) => Some(place.cell),
            _ => None,
        };
        // An index that is computed may be any: how it stands to the other isn't known.
        let (Some(first), Some(second)) = (index(&place.indices[a]), index(&place.indices[b])) else {
            *needed = [true; 3];
            return;
        };
        // Read along the diagonal, it is needed there alone.
        if first == second {
            needed[1] = true;
            continue;
        }
        for (relation, needed) in IndexRelation::ALL.into_iter().zip(needed.iter_mut()) {
            // Nobody asks the reader where its guards don't hold, so that it asks for nothing there itself.
            let is_off = |guard: &NestValue| under(guard, (first, second), relation) == NestValue::Int(0);
            let mut found = false;
            walk(&under(value, (first, second), relation), &mut |part| {
                found |= matches!(part, NestValue::Load(own) if own == place);
            });
            *needed |= found && !reader.guards.iter().any(is_off);
        }
    }
}

fn bound(equation: &mut Equation) {
    let EquationBody::Fold(fold) = &mut equation.work else { return };
    let others = equation.dims.iter().filter(|index| index.size == fold.over.size).map(|index| index.cell);
    let differs = |other: u32| {
        fold.states.iter().any(|state| {
            let [below, equal, above] = IndexRelation::ALL.map(|r| under(&state.next, (fold.over.cell, other), r));
            below != equal || above != equal
        })
    };
    // One such index will do, since a loop is split at one index alone.
    fold.beside = others.into_iter().find(|other| differs(*other)).map(load);
}
