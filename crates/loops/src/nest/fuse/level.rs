//! Assigns each equation to a pass over the streamed size: what needs the end of a pass stands in one behind.

use rustc_hash::FxHashMap;

use crate::nest::NestStyle;
use crate::nest::equations::{Equation, EquationBody, EquationSystem};
use crate::nest::ir::NestValue;
use crate::nest::ir::value::{load, walk};
use redexter_language::term::Size;

/// How an equation depends on the streamed size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamClass {
    /// Not at all.
    Still,
    /// It has a number for each of its indices, this one among its dimensions.
    Streamed(u32),
    /// It is summed over it.
    Summed(u32),
}

impl StreamClass {
    /// The index that runs along the streamed size.
    pub(super) fn stream(self) -> Option<u32> {
        match self {
            StreamClass::Still => None,
            StreamClass::Streamed(cell) | StreamClass::Summed(cell) => Some(cell),
        }
    }
}

/// Equations with their classes and passes.
pub(super) struct FusePlan {
    pub(super) system: EquationSystem,
    pub(super) stream: Option<Size>,
    pub(super) lanes: u32,
    pub(super) style: NestStyle,
    pub(super) classes: Vec<StreamClass>,
    pub(super) levels: Vec<usize>,
    /// The equation that defines each cell.
    pub(super) defined: FxHashMap<u32, usize>,
}

pub(super) fn class(equation: &Equation, stream: Option<&Size>) -> StreamClass {
    let is_stream = |size: &Size| stream == Some(size);
    match (equation.around().find(|index| is_stream(&index.size)), equation.over()) {
        // A table for each lane would be one: its rounds run behind each other, in loops of their own.
        (Some(_), _) if matches!(equation.work, EquationBody::Scatter(_)) => StreamClass::Still,
        // Of two dimensions of the streamed size the first is gone through in strips.
        (Some(index), _) => StreamClass::Streamed(index.cell),
        (None, Some(over)) if is_stream(&over.size) => StreamClass::Summed(over.cell),
        (None, _) => StreamClass::Still,
    }
}

pub(super) fn levels(system: EquationSystem, stream: Option<Size>, lanes: u32, style: NestStyle) -> FusePlan {
    let defined = system.defined();
    let classes: Vec<StreamClass> = system.equations.iter().map(|equation| class(equation, stream.as_ref())).collect();
    let mut levels: Vec<usize> = Vec::new();
    for (k, equation) in system.equations.iter().enumerate() {
        // Equations stand behind what they read, so that those levels are known here.
        let mut level = 0;
        equation.each(&mut |value| {
            walk(value, &mut |part| {
                let NestValue::Load(place) = part else { return };
                let Some(other) = defined.get(&place.cell).copied().filter(|other| *other != k) else { return };
                let is_later = match classes[other] {
                    // What doesn't depend on the streamed size is written before the pass of its level.
                    StreamClass::Still => false,
                    StreamClass::Summed(_) => true,
                    StreamClass::Streamed(cell) => {
                        let position = system.equations[other].dims.iter().position(|index| index.cell == cell);
                        let at = position.and_then(|position| place.indices.get(position));
                        // At another index than the one that the pass is at, its number isn't there until the pass has ended.
                        classes[k].stream().map(load).as_ref() != at
                    }
                };
                level = level.max(levels[other] + usize::from(is_later));
            });
        });
        levels.push(level);
    }
    FusePlan { system, stream, lanes, style, classes, levels, defined }
}
