//! Looks through values and rewrites them.

use rustc_hash::FxHashMap;

use super::{NestPlace, NestValue, ScalarKind};
use redexter_language::term::{Prim, PrimClass, Size};

/// The value of an index or of what has no indices.
pub(in crate::nest) fn load(cell: u32) -> NestValue {
    NestValue::Load(NestPlace { cell, indices: Vec::new() })
}

/// Whether a number is an index below a size.
pub(in crate::nest) fn is_index(number: &NestValue, size: &Size) -> NestValue {
    let test = |prim, a: NestValue, b: NestValue| NestValue::Prim(prim, ScalarKind::Int, vec![a, b]);
    let low = test(Prim::Le, NestValue::Int(0), number.clone());
    test(Prim::And, low, test(Prim::Lt, number.clone(), NestValue::of(size)))
}

/// A primitive on operands. Nests round each operation as it is written, so that those that are kept need no name of their own,
/// unless others are to be reordered.
pub(in crate::nest) fn applied(
    prim: Prim,
    number: ScalarKind,
    mut operands: Vec<NestValue>,
    reorders: bool,
) -> NestValue {
    match (prim, operands.pop()) {
        (prim, Some(last)) if reorders => {
            operands.push(last);
            NestValue::Prim(prim, number, operands)
        }
        (Prim::Rounded, Some(operand)) => operand,
        (prim, last) => {
            operands.extend(last);
            NestValue::Prim(prim.unrounded(), number, operands)
        }
    }
}

impl NestPlace {
    /// The place of a number in the array that stands here.
    pub(in crate::nest) fn at(&self, indices: &[NestValue]) -> NestPlace {
        NestPlace { cell: self.cell, indices: [&self.indices, indices].concat() }
    }
}

impl NestValue {
    /// Does something with each value that stands in it, not with what stands in those.
    pub fn each_part<'a>(&'a self, work: &mut dyn FnMut(&'a NestValue)) {
        match self {
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => {}
            NestValue::Load(place) => place.indices.iter().for_each(work),
            NestValue::Prim(_, _, operands) => operands.iter().for_each(work),
            NestValue::Truth(a) => work(a),
            NestValue::Select(p) => [&p.0, &p.1, &p.2].into_iter().for_each(work),
        }
    }

    /// How large it is.
    pub fn size(&self) -> usize {
        let mut count = 0;
        walk(self, &mut |_| count += 1);
        count
    }

    /// The same with others in their places.
    pub(in crate::nest) fn with_parts(&self, other: &mut dyn FnMut(&NestValue) -> NestValue) -> NestValue {
        match self {
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => self.clone(),
            NestValue::Load(place) => {
                NestValue::Load(NestPlace { cell: place.cell, indices: place.indices.iter().map(other).collect() })
            }
            NestValue::Prim(prim, number, operands) => {
                NestValue::Prim(*prim, *number, operands.iter().map(other).collect())
            }
            NestValue::Truth(a) => NestValue::Truth(Box::new(other(a))),
            NestValue::Select(p) => NestValue::Select(Box::new((other(&p.0), other(&p.1), other(&p.2)))),
        }
    }
}

/// A value whose parts are rewritten first.
pub(in crate::nest) fn map(value: &NestValue, each: &mut impl FnMut(NestValue) -> NestValue) -> NestValue {
    let value = value.with_parts(&mut |part| map(part, each));
    each(value)
}

/// Does something with a value and all that stands in it.
pub(in crate::nest) fn walk<'a>(value: &'a NestValue, each: &mut impl FnMut(&'a NestValue)) {
    each(value);
    value.each_part(&mut |part| walk(part, each));
}

/// With other values for what has no indices.
pub(in crate::nest) fn replace(value: &NestValue, by: &FxHashMap<u32, NestValue>) -> NestValue {
    map(value, &mut |part| match &part {
        NestValue::Load(place) if place.indices.is_empty() => by.get(&place.cell).cloned().unwrap_or(part),
        _ => part,
    })
}

/// The same for a place: a name may stand for another one.
pub(in crate::nest) fn replace_at(place: &NestPlace, by: &FxHashMap<u32, NestValue>) -> NestPlace {
    let indices: Vec<NestValue> = place.indices.iter().map(|index| replace(index, by)).collect();
    match by.get(&place.cell) {
        Some(NestValue::Load(other)) if indices.is_empty() => other.clone(),
        _ => NestPlace { cell: place.cell, indices },
    }
}

/// A primitive of two integers.
pub(in crate::nest) fn int(prim: Prim, a: NestValue, b: NestValue) -> NestValue {
    NestValue::Prim(prim, ScalarKind::Int, vec![a, b])
}

/// What an index that is computed with is: its number.
pub(in crate::nest) fn index_number(value: &NestValue) -> &NestValue {
    match value {
        NestValue::Prim(Prim::ToInt, ScalarKind::Int, operands) => operands.first().map_or(value, index_number),
        value => value,
    }
}

/// Operations on reals and choices.
pub(in crate::nest) fn operations(value: &NestValue) -> usize {
    let mut count = 0;
    walk(value, &mut |part| count += usize::from(matches!(part, NestValue::Prim(..) | NestValue::Select(_))));
    count
}

/// The same without the arithmetic of indices.
pub(in crate::nest) fn real_operations(value: &NestValue) -> usize {
    let mut count = 0;
    walk(value, &mut |part| {
        count += usize::from(matches!(part, NestValue::Prim(_, ScalarKind::Real, _) | NestValue::Select(_)));
    });
    count
}

/// Whether something in it is expensive, so that it is worth keeping.
pub(in crate::nest) fn is_dear(value: &NestValue) -> bool {
    let mut found = false;
    walk(value, &mut |part| found |= is_dear_itself(part));
    found
}

/// Whether it is a function of reals, a division, a power.
pub(in crate::nest) fn is_dear_itself(value: &NestValue) -> bool {
    match value {
        NestValue::Prim(prim, ScalarKind::Real, _) => {
            matches!(prim, Prim::Div | Prim::Pow | Prim::Sqrt) || prim.class() == PrimClass::Function
        }
        _ => false,
    }
}

/// Whether it is made of comparisons alone.
pub(in crate::nest) fn is_condition(value: &NestValue) -> bool {
    match value {
        NestValue::Int(_) | NestValue::Size(_) => true,
        NestValue::Load(place) => place.indices.is_empty(),
        NestValue::Real(_) | NestValue::Select(_) => false,
        NestValue::Truth(a) => is_condition(a),
        NestValue::Prim(prim, _, operands) => {
            prim.class().is_truth() && operands.iter().all(is_condition) || is_of_sizes(value)
        }
    }
}

/// Whether it is a number made of sizes.
fn is_of_sizes(value: &NestValue) -> bool {
    match value {
        NestValue::Int(_) | NestValue::Size(_) => true,
        NestValue::Prim(Prim::Add | Prim::Mul, ScalarKind::Int, operands) => operands.iter().all(is_of_sizes),
        _ => false,
    }
}

/// 0 of its type, and not -0.
pub(in crate::nest) fn is_zero(value: &NestValue) -> bool {
    matches!(value, NestValue::Int(0)) || matches!(value, NestValue::Real(x) if x.to_bits() == 0)
}
