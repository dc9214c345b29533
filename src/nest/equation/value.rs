//! Values looked through and rewritten.

use rustc_hash::FxHashMap;

use crate::nest::code::{Place, Value};
use crate::term::{Class, Prim};

/// The value of an index or of what has no indices.
pub(in crate::nest) fn load(cell: u32) -> Value {
    Value::Load(Place { cell, indices: Vec::new() })
}

/// A value whose parts are rewritten first.
pub(in crate::nest) fn map(value: &Value, each: &mut impl FnMut(Value) -> Value) -> Value {
    let value = match value {
        Value::Real(_) | Value::Int(_) | Value::Size(_) => value.clone(),
        Value::Load(place) => {
            let indices = place.indices.iter().map(|index| map(index, each)).collect();
            Value::Load(Place { cell: place.cell, indices })
        }
        Value::Prim(prim, number, operands) => {
            Value::Prim(*prim, *number, operands.iter().map(|operand| map(operand, each)).collect())
        }
        Value::Truth(a) => Value::Truth(Box::new(map(a, each))),
        Value::Select(p) => Value::Select(Box::new((map(&p.0, each), map(&p.1, each), map(&p.2, each)))),
    };
    each(value)
}

/// Does something with a value and all that stands in it.
pub(in crate::nest) fn walk<'a>(value: &'a Value, each: &mut impl FnMut(&'a Value)) {
    each(value);
    match value {
        Value::Real(_) | Value::Int(_) | Value::Size(_) => {}
        Value::Load(place) => place.indices.iter().for_each(|index| walk(index, each)),
        Value::Prim(_, _, operands) => operands.iter().for_each(|operand| walk(operand, each)),
        Value::Truth(a) => walk(a, each),
        Value::Select(p) => [&p.0, &p.1, &p.2].into_iter().for_each(|part| walk(part, each)),
    }
}

/// With other values for what has no indices.
pub(in crate::nest) fn replace(value: &Value, by: &FxHashMap<u32, Value>) -> Value {
    map(value, &mut |part| match &part {
        Value::Load(place) if place.indices.is_empty() => by.get(&place.cell).cloned().unwrap_or(part),
        _ => part,
    })
}

/// How large it is.
pub(in crate::nest) fn size(value: &Value) -> usize {
    let mut count = 0;
    walk(value, &mut |_| count += 1);
    count
}

/// Operations on reals and choices.
pub(in crate::nest) fn operations(value: &Value) -> usize {
    let mut count = 0;
    walk(value, &mut |part| count += usize::from(matches!(part, Value::Prim(..) | Value::Select(_))));
    count
}

/// Whether something in it is worth keeping: a function, a division, a power.
pub(in crate::nest) fn is_dear(value: &Value) -> bool {
    let mut found = false;
    walk(value, &mut |part| {
        found |= match part {
            Value::Prim(prim, ..) => {
                matches!(prim, Prim::Div | Prim::Pow | Prim::Sqrt) || prim.class() == Class::Function
            }
            _ => false,
        }
    });
    found
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
