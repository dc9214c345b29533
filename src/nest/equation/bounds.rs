//! Rounds that change nothing at the beginning or the end of a loop, found from comparisons of two indices.

use super::value::{load, map, mentions};
use super::{Equation, System, Work};
use crate::nest::code::{Number, Value};
use crate::term::Prim;

/// How one index stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Below,
    Equal,
    Above,
}

impl Relation {
    const ALL: [Relation; 3] = [Relation::Below, Relation::Equal, Relation::Above];

    fn turned(self) -> Relation {
        match self {
            Relation::Below => Relation::Above,
            Relation::Equal => Relation::Equal,
            Relation::Above => Relation::Below,
        }
    }
}

/// Loops over an index that is compared with one around it run where they may change something.
pub(super) fn bounds(system: &mut System) {
    for equation in &mut system.equations {
        bound(equation);
    }
}

fn bound(equation: &mut Equation) {
    let Work::Fold(fold) = &mut equation.work else { return };
    let over = fold.over.clone();
    let others: Vec<u32> =
        equation.dims.iter().filter(|index| index.size == over.size).map(|index| index.cell).collect();
    for other in others {
        let idle = Relation::ALL.map(|relation| {
            fold.states.iter().all(|state| {
                mentions(&state.next, other)
                    && under(&state.next, (over.cell, other), relation) == load(state.slot.cell)
            })
        });
        let behind = || Value::Prim(Prim::Add, Number::Int, vec![load(other), Value::Int(1)]);
        fold.range = match idle {
            [false, _, true] => (None, Some(if idle[1] { load(other) } else { behind() })),
            [true, _, false] => (Some(if idle[1] { behind() } else { load(other) }), None),
            _ => continue,
        };
        return;
    }
}

/// A value where the first index stands so to the second.
pub(super) fn under(value: &Value, (first, second): (u32, u32), relation: Relation) -> Value {
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
            _ if p.1 == p.2 => p.1.clone(),
            _ => value,
        },
        Value::Prim(Prim::Not, _, operands) => match operands[..] {
            [Value::Int(k)] => Value::Int((k == 0).into()),
            _ => value,
        },
        Value::Prim(prim @ (Prim::And | Prim::Or), _, operands) => {
            let ends = i64::from(*prim == Prim::Or);
            let known = |value: &Value| matches!(value, Value::Int(k) if i64::from(*k != 0) == ends);
            if operands.iter().any(known) { Value::Int(ends) } else { value }
        }
        _ => value,
    }
}
