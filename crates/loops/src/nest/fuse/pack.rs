//! Copies rows of data for a strip (packing), so that lanes lie side by side.

use crate::nest::equations::{Equation, EquationBody, EquationSystem, Freedom, StripLayout};
use crate::nest::ir::value::{load, map};
use crate::nest::ir::{NestPlace, NestValue};
use redexter_language::term::Size;

use super::level::class;
use super::outer::row;

/// An equation for each parameter that is read in rows along the streamed size, which others read in its place.
pub(super) fn pack(system: &mut EquationSystem, stream: Option<&Size>, freedom: Freedom) {
    for parameter in system.parameters.clone() {
        let [first, rest @ ..] = &parameter.array.dims[..] else { continue };
        // A parameter of one dimension lies side by side as it is.
        if Some(first) != stream || rest.is_empty() {
            continue;
        }
        let slot = system.number(&parameter.hint, parameter.array.number);
        let mut found = None;
        for k in 0..system.equations.len() {
            let equation = &system.equations[k];
            let Some(own) = class(equation, stream).stream() else { continue };
            let last = equation.dims.last().map_or(own, |index| index.cell);
            // Outer sums load along the rows themselves, so that they read the parameter as it is.
            let kept = row(system, equation, own, last).filter(|_| !freedom.reorders()).cloned();
            let equation = &mut system.equations[k];
            let is_row = |place: &NestPlace| {
                place.cell == parameter.cell
                    && place.indices[0] == load(own)
                    && !place.indices[1..].iter().any(|index| index.mentions(own))
            };
            equation.rewrite(&mut |value| {
                map(value, &mut |part| match part {
                    part if Some(&part) == kept.as_ref() => part,
                    NestValue::Load(place) if is_row(&place) => {
                        found = Some(own);
                        NestValue::Load(NestPlace { cell: slot.cell, indices: place.indices })
                    }
                    part => part,
                })
            });
        }
        let Some(like) = found.and_then(|cell| system.indices.get(&cell).cloned()) else { continue };
        let mut dims = vec![system.index_like(&like)];
        for size in rest {
            let mut index = system.index_like(&like);
            index.size = size.clone();
            system.indices.insert(index.cell, index.clone());
            dims.push(index);
        }
        let indices = dims.iter().map(|index| load(index.cell)).collect();
        let row = NestValue::Load(NestPlace { cell: parameter.cell, indices });
        let equation =
            Equation { dims, work: EquationBody::Map(slot, row), guards: Vec::new(), layout: StripLayout::Packed };
        // It reads a parameter alone, and must stand before all that read it.
        system.equations.insert(0, equation);
    }
}
