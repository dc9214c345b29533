//! Simplifies values by what is known of two indices: whether one is below, at or above the other.

use std::cmp::Ordering;

use crate::nest::ir::value::{load, map};
use crate::nest::ir::{Number, Value};
use redexter_language::term::Prim;

/// How one index stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::nest) enum Relation {
    Below,
    Equal,
    Above,
}

impl Relation {
    pub(in crate::nest) const ALL: [Relation; 3] = [Relation::Below, Relation::Equal, Relation::Above];

    fn turned(self) -> Relation {
        match self {
            Relation::Below => Relation::Above,
            Relation::Equal => Relation::Equal,
            Relation::Above => Relation::Below,
        }
    }
}

/// A value where the first index stands so to the second.
pub(in crate::nest) fn under(value: &Value, (first, second): (u32, u32), relation: Relation) -> Value {
    let (first, second) = (load(first), load(second));
    map(value, &mut |part| match &part {
        Value::Prim(prim, Number::Int, operands) => match &operands[..] {
            [a, b] if *a == first && *b == second => compared(*prim, relation).unwrap_or(part),
            [a, b] if *a == second && *b == first => compared(*prim, relation.turned()).unwrap_or(part),
            _ => decided(part),
        },
        _ => decided(part),
    })
}

/// A value in which comparisons of known numbers are decided.
pub(in crate::nest) fn settled(value: &Value) -> Value {
    map(value, &mut |part| match &part {
        Value::Prim(prim, Number::Int, operands) => match &operands[..] {
            [Value::Int(a), Value::Int(b)] => {
                let relation = match a.cmp(b) {
                    Ordering::Less => Relation::Below,
                    Ordering::Equal => Relation::Equal,
                    Ordering::Greater => Relation::Above,
                };
                compared(*prim, relation).unwrap_or(part)
            }
            _ => decided(part),
        },
        _ => decided(part),
    })
}

fn compared(prim: Prim, relation: Relation) -> Option<Value> {
    let holds = match prim {
        Prim::Lt => relation == Relation::Below,
        Prim::Le => relation != Relation::Above,
        Prim::Gt => relation == Relation::Above,
        Prim::Ge => relation != Relation::Below,
        Prim::Eq => relation == Relation::Equal,
        Prim::Ne => relation != Relation::Equal,
        _ => return None,
    };
    Some(Value::Int(holds.into()))
}

/// Choices and connectives of known truths.
fn decided(value: Value) -> Value {
    match &value {
        Value::Truth(a) => match **a {
            Value::Int(k) => Value::Int((k != 0).into()),
            _ => value,
        },
        Value::Select(p) => match p.0 {
            Value::Int(0) => p.2.clone(),
            Value::Int(_) => p.1.clone(),
            // Where both sides have become the same the condition no longer matters.
            _ if p.1 == p.2 => p.1.clone(),
            _ => value,
        },
        Value::Prim(Prim::Not, _, operands) => match operands[..] {
            [Value::Int(k)] => Value::Int((k == 0).into()),
            _ => value,
        },
        Value::Prim(prim @ (Prim::And | Prim::Or), _, operands) => {
            // One operand alone may decide: 0 an `and`, 1 an `or`. Other known operands leave the decision to the rest.
            let ends = i64::from(*prim == Prim::Or);
            let known = |value: &Value| matches!(value, Value::Int(k) if i64::from(*k != 0) == ends);
            if operands.iter().any(known) { Value::Int(ends) } else { value }
        }
        _ => value,
    }
}
