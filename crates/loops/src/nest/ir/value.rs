//! Looks through values and rewrites them.

use rustc_hash::FxHashMap;

use super::{Number, Place, Value};
use redexter_language::term::{Class, Prim};

/// The value of an index or of what has no indices.
pub(in crate::nest) fn load(cell: u32) -> Value {
    Value::Load(Place { cell, indices: Vec::new() })
}

impl Value {
    /// Does something with each value that stands in it, not with what stands in those.
    pub fn each_part<'a>(&'a self, work: &mut dyn FnMut(&'a Value)) {
        match self {
            Value::Real(_) | Value::Int(_) | Value::Size(_) => {}
            Value::Load(place) => place.indices.iter().for_each(work),
            Value::Prim(_, _, operands) => operands.iter().for_each(work),
            Value::Truth(a) => work(a),
            Value::Select(p) => [&p.0, &p.1, &p.2].into_iter().for_each(work),
        }
    }

    /// How large it is.
    pub fn size(&self) -> usize {
        let mut count = 0;
        walk(self, &mut |_| count += 1);
        count
    }

    /// The same with others in their places.
    pub(in crate::nest) fn with_parts(&self, other: &mut dyn FnMut(&Value) -> Value) -> Value {
        match self {
            Value::Real(_) | Value::Int(_) | Value::Size(_) => self.clone(),
            Value::Load(place) => {
                Value::Load(Place { cell: place.cell, indices: place.indices.iter().map(other).collect() })
            }
            Value::Prim(prim, number, operands) => Value::Prim(*prim, *number, operands.iter().map(other).collect()),
            Value::Truth(a) => Value::Truth(Box::new(other(a))),
            Value::Select(p) => Value::Select(Box::new((other(&p.0), other(&p.1), other(&p.2)))),
        }
    }
}

/// A value whose parts are rewritten first.
pub(in crate::nest) fn map(value: &Value, each: &mut impl FnMut(Value) -> Value) -> Value {
    let value = value.with_parts(&mut |part| map(part, each));
    each(value)
}

/// Does something with a value and all that stands in it.
pub(in crate::nest) fn walk<'a>(value: &'a Value, each: &mut impl FnMut(&'a Value)) {
    each(value);
    value.each_part(&mut |part| walk(part, each));
}

/// With other values for what has no indices.
pub(in crate::nest) fn replace(value: &Value, by: &FxHashMap<u32, Value>) -> Value {
    map(value, &mut |part| match &part {
        Value::Load(place) if place.indices.is_empty() => by.get(&place.cell).cloned().unwrap_or(part),
        _ => part,
    })
}

/// The same for a place: a name may stand for another one.
pub(in crate::nest) fn replace_at(place: &Place, by: &FxHashMap<u32, Value>) -> Place {
    let indices: Vec<Value> = place.indices.iter().map(|index| replace(index, by)).collect();
    match by.get(&place.cell) {
        Some(Value::Load(other)) if indices.is_empty() => other.clone(),
        _ => Place { cell: place.cell, indices },
    }
}

/// Operations on reals and choices.
pub(in crate::nest) fn operations(value: &Value) -> usize {
    let mut count = 0;
    walk(value, &mut |part| count += usize::from(matches!(part, Value::Prim(..) | Value::Select(_))));
    count
}

/// Whether something in it is expensive, so that it is worth keeping.
pub(in crate::nest) fn is_dear(value: &Value) -> bool {
    let mut found = false;
    walk(value, &mut |part| found |= is_dear_itself(part));
    found
}

/// Whether it is a function of reals, a division, a power.
pub(in crate::nest) fn is_dear_itself(value: &Value) -> bool {
    match value {
        Value::Prim(prim, Number::Real, _) => {
            matches!(prim, Prim::Div | Prim::Pow | Prim::Sqrt) || prim.class() == Class::Function
        }
        _ => false,
    }
}

/// Whether it is made of comparisons alone.
pub(in crate::nest) fn is_condition(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Size(_) => true,
        Value::Load(place) => place.indices.is_empty(),
        Value::Real(_) | Value::Select(_) => false,
        Value::Truth(a) => is_condition(a),
        Value::Prim(prim, _, operands) => {
            matches!(prim.class(), Class::Comparison | Class::Connective) && operands.iter().all(is_condition)
        }
    }
}

/// 0 of its type, and not -0.
pub(in crate::nest) fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Int(0)) || matches!(value, Value::Real(x) if x.to_bits() == 0)
}
