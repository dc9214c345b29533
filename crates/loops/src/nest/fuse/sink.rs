//! Sinks cheap tables to right before what reads them, so that they share its loops and less of them is kept.

use crate::nest::equations::{Equation, EquationBody, EquationSystem, StripLayout};
use crate::nest::ir::value::{is_dear, walk};
use crate::nest::{NestSlot, NestValue};

/// Moves tables down to their first readers; those of one reader stay in their order.
pub(super) fn sink(system: &mut EquationSystem) {
    let mut moved = Vec::new();
    // From the end on, so that a table that another table reads follows it down.
    for k in (0..system.equations.len()).rev() {
        let Some(cell) = table(&system.equations[k]).map(|slot| slot.cell) else { continue };
        let behind = &system.equations[k + 1..];
        let Some(mut between) = behind.iter().position(|equation| reads(equation, cell)) else { continue };
        while between > 0 && table(&behind[between - 1]).is_some_and(|slot| moved.contains(&slot.cell)) {
            between -= 1;
        }
        moved.push(cell);
        system.equations[k..=k + between].rotate_left(1);
    }
}

/// The table that an equation is, if it costs little.
fn table(equation: &Equation) -> Option<&NestSlot> {
    match &equation.work {
        EquationBody::Map(slot, value) if !is_dear(value) => {
            (equation.dims.len() > 1 && equation.layout == StripLayout::Lanes).then_some(slot)
        }
        _ => None,
    }
}

fn reads(equation: &Equation, cell: u32) -> bool {
    let mut found = false;
    equation.each(&mut |value| {
        walk(value, &mut |part| found |= matches!(part, NestValue::Load(place) if place.cell == cell));
    });
    found
}
