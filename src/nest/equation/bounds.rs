//! Rounds that change nothing at the beginning or the end of a loop, found from comparisons of two indices.

use super::simplify::in_order;
use super::value::{load, map, mentions, walk};
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

/// Loops over an index that is compared with one around it run where they may change something, and what is asked for under
/// such a comparison alone is computed there.
pub(super) fn bounds(system: &mut System) {
    for equation in &mut system.equations {
        bound(equation);
    }
    in_order(system);
    for k in (0..system.equations.len()).rev() {
        let guards = asked(system, k);
        let own = &mut system.equations[k].guards;
        own.extend(guards.into_iter().filter(|guard| !own.contains(guard)).collect::<Vec<_>>());
    }
}

/// How two dimensions of the same size stand to each other where somebody reads an equation.
fn asked(system: &System, k: usize) -> Vec<Value> {
    let (equation, cells) = (&system.equations[k], system.equations[k].cells());
    let mut guards = Vec::new();
    for (a, first) in equation.dims.iter().enumerate() {
        for (b, second) in equation.dims.iter().enumerate().skip(a + 1).filter(|(_, other)| other.size == first.size) {
            let mut needed = [false; 3];
            for reader in &system.equations[k + 1..] {
                reader.each(&mut |value| needs(system, reader, value, &cells, (a, b), &mut needed));
            }
            let prim = match needed {
                [true, true, false] => Prim::Le,
                [true, false, false] => Prim::Lt,
                [false, true, false] => Prim::Eq,
                [false, true, true] => Prim::Ge,
                [false, false, true] => Prim::Gt,
                _ => continue,
            };
            guards.push(Value::Prim(prim, Number::Int, vec![load(first.cell), load(second.cell)]));
        }
    }
    guards
}

/// Under which relations a value of a reader reads these cells, of their dimensions at two positions.
fn needs(
    system: &System,
    reader: &Equation,
    value: &Value,
    cells: &[u32],
    (a, b): (usize, usize),
    needed: &mut [bool; 3],
) {
    let mut sites = Vec::new();
    walk(value, &mut |part| match part {
        Value::Load(place) if cells.contains(&place.cell) && !sites.contains(&place) => sites.push(place),
        _ => {}
    });
    for place in sites {
        let index = |value: &Value| match value {
            Value::Load(place) if system.indices.contains_key(&place.cell) => Some(place.cell),
            _ => None,
        };
        let (Some(first), Some(second)) = (index(&place.indices[a]), index(&place.indices[b])) else {
            *needed = [true; 3];
            return;
        };
        if first == second {
            needed[1] = true;
            continue;
        }
        for (relation, needed) in Relation::ALL.into_iter().zip(needed.iter_mut()) {
            let is_off = |guard: &Value| under(guard, (first, second), relation) == Value::Int(0);
            let mut found = false;
            walk(&under(value, (first, second), relation), &mut |part| {
                found |= matches!(part, Value::Load(own) if own == place);
            });
            *needed |= found && !reader.guards.iter().any(is_off);
        }
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
