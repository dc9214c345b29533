//! Translates values of equations into those of statements: where others keep what they read, what the streamed index stands
//! for.

use super::place::KeptExtent;
use super::write::NestWriter;
use crate::nest::equations::StripLayout;
use crate::nest::ir::value::load;
use crate::nest::ir::{NestPlace, NestValue};

impl NestWriter {
    /// Where an equation keeps the number for its own indices.
    pub(super) fn own(&self, k: usize, cell: u32) -> NestPlace {
        let indices: Vec<NestValue> = self.equation(k).dims.iter().map(|index| load(index.cell)).collect();
        self.place(k, k, cell, &indices)
    }

    /// Where an equation finds what another keeps for indices.
    pub(super) fn place(&self, reader: usize, other: usize, cell: u32, indices: &[NestValue]) -> NestPlace {
        let kept = &self.kept[other];
        let mut all: Vec<NestValue> = kept.dims.iter().map(|d| self.value(reader, &indices[*d])).collect();
        match kept.extent {
            KeptExtent::Local | KeptExtent::Still => {}
            KeptExtent::Strip => {
                if let Some((_, Some(lane))) = &self.here {
                    // Of a turned copy the last index runs fastest, since vectors go along it; elsewhere lanes do.
                    let at = all.len() - usize::from(self.equation(other).layout == StripLayout::Turned);
                    all.insert(at, lane.clone());
                }
            }
            KeptExtent::Whole => {
                let own = self.plan.classes[other].stream();
                let position = self.equation(other).dims.iter().position(|index| Some(index.cell) == own);
                // The streamed index comes last, as `NestWriter::dims` has it, so that lanes lie side by side.
                all.extend(position.map(|position| self.value(reader, &indices[position])));
            }
        }
        NestPlace { cell: self.aliases.get(&cell).copied().unwrap_or(cell), indices: all }
    }

    /// A value as an equation has it here.
    pub(super) fn value(&self, k: usize, value: &NestValue) -> NestValue {
        match value {
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => value.clone(),
            NestValue::Truth(a) => NestValue::Truth(Box::new(self.value(k, a))),
            NestValue::Select(p) => {
                NestValue::Select(Box::new((self.value(k, &p.0), self.value(k, &p.1), self.value(k, &p.2))))
            }
            NestValue::Prim(prim, number, all) => {
                NestValue::Prim(*prim, *number, all.iter().map(|operand| self.value(k, operand)).collect())
            }
            NestValue::Load(place) => match (&self.here, self.plan.defined.get(&place.cell)) {
                (Some((run, _)), None) if self.plan.classes[k].stream() == Some(place.cell) => run.clone(),
                // What an equation reads of itself is a running state, which is put in later.
                (_, Some(other)) if *other != k => NestValue::Load(self.place(k, *other, place.cell, &place.indices)),
                _ => {
                    let indices = place.indices.iter().map(|index| self.value(k, index)).collect();
                    NestValue::Load(NestPlace { cell: place.cell, indices })
                }
            },
        }
    }
}
