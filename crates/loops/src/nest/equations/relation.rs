//! Simplifies values by what is known of two indices: whether one is below, at or above the other.

use std::cmp::Ordering;

use crate::nest::ir::value::{load, map};
use crate::nest::ir::{NestValue, ScalarKind};
use redexter_language::term::Prim;

/// How one index stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::nest) enum IndexRelation {
    Below,
    Equal,
    Above,
}

impl IndexRelation {
    pub(in crate::nest) const ALL: [IndexRelation; 3] =
        [IndexRelation::Below, IndexRelation::Equal, IndexRelation::Above];

    fn turned(self) -> IndexRelation {
        match self {
            IndexRelation::Below => IndexRelation::Above,
            IndexRelation::Equal => IndexRelation::Equal,
            IndexRelation::Above => IndexRelation::Below,
        }
    }
}

/// A value where the first index stands so to the second.
pub(in crate::nest) fn under(value: &NestValue, (first, second): (u32, u32), relation: IndexRelation) -> NestValue {
    let (first, second) = (load(first), load(second));
    map(value, &mut |part| match &part {
        NestValue::Prim(prim, ScalarKind::Int, operands) => match &operands[..] {
            [a, b] if *a == first && *b == second => compared(*prim, relation).unwrap_or(part),
            [a, b] if *a == second && *b == first => compared(*prim, relation.turned()).unwrap_or(part),
            _ => decided(part),
        },
        _ => decided(part),
    })
}

/// A value in which comparisons of known numbers are decided.
pub(in crate::nest) fn settled(value: &NestValue) -> NestValue {
    map(value, &mut |part| match &part {
        NestValue::Prim(prim, ScalarKind::Int, operands) => match &operands[..] {
            [NestValue::Int(a), NestValue::Int(b)] => {
                let relation = match a.cmp(b) {
                    Ordering::Less => IndexRelation::Below,
                    Ordering::Equal => IndexRelation::Equal,
                    Ordering::Greater => IndexRelation::Above,
                };
                compared(*prim, relation).unwrap_or_else(|| decided(part.clone()))
            }
            _ => decided(part),
        },
        _ => decided(part),
    })
}

fn compared(prim: Prim, relation: IndexRelation) -> Option<NestValue> {
    let holds = match prim {
        Prim::Lt => relation == IndexRelation::Below,
        Prim::Le => relation != IndexRelation::Above,
        Prim::Gt => relation == IndexRelation::Above,
        Prim::Ge => relation != IndexRelation::Below,
        Prim::Eq => relation == IndexRelation::Equal,
        Prim::Ne => relation != IndexRelation::Equal,
        _ => return None,
    };
    Some(NestValue::Int(holds.into()))
}

/// Choices and connectives of known truths.
fn decided(value: NestValue) -> NestValue {
    match &value {
        NestValue::Truth(a) => match **a {
            NestValue::Int(k) => NestValue::Int((k != 0).into()),
            _ => value,
        },
        NestValue::Select(p) => match p.0 {
            NestValue::Int(0) => p.2.clone(),
            NestValue::Int(_) => p.1.clone(),
            // Where both sides have become the same the condition no longer matters.
            _ if p.1 == p.2 => p.1.clone(),
            _ => value,
        },
        NestValue::Prim(Prim::Not, _, operands) => match operands[..] {
            [NestValue::Int(k)] => NestValue::Int((k == 0).into()),
            _ => value,
        },
        NestValue::Prim(prim @ (Prim::And | Prim::Or), _, operands) => {
            // One operand alone may decide: 0 an `and`, 1 an `or`. Other known operands leave the decision to the rest.
            let ends = i64::from(*prim == Prim::Or);
            let known = |value: &NestValue| matches!(value, NestValue::Int(k) if i64::from(*k != 0) == ends);
            if operands.iter().any(known) {
                return NestValue::Int(ends);
            }
            let mut open = operands.iter().filter(|value| !matches!(value, NestValue::Int(_)));
            match (open.next(), open.next()) {
                (None, _) => NestValue::Int(1 - ends),
                // A comparison alone is 0 or 1 as the connective is.
                (Some(last @ NestValue::Prim(prim, ..)), None) if prim.class().is_truth() => last.clone(),
                _ => value,
            }
        }
        _ => value,
    }
}
