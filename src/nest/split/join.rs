//! What rounds of a loop gather, each adding its own to what others left.

use super::walk;
use crate::nest::code::{Number, Place, Stmt, Value};
use crate::term::Prim;

/// How what threads gathered is put together, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Added. Each begins with 0.
    Sum,
    /// The first for which `<` says that there is none larger, or `>` none smaller. Each begins with what was there.
    Best(Prim),
    /// `min` or `max`. Each begins with what was there.
    Most(Prim),
}

/// How a number, or each element of an array, changes in a loop: it and numbers in which it runs meanwhile change so alone, and
/// nothing else reads them.
pub(super) fn join(cell: u32, inside: &[Stmt]) -> Option<Join> {
    let declared = walk::declared(inside);
    let mut group = vec![cell];
    walk::sets(inside, &mut |_, to, value| {
        if let Value::Load(from) = value
            && from.cell == cell
            && declared.contains_key(&to.cell)
            && !group.contains(&to.cell)
        {
            group.push(to.cell);
        }
    });
    let mentions = |value: &Value| group.iter().any(|cell| value.mentions(*cell));
    let (mut found, mut fits) = (None, true);
    walk::asked(inside, &mut |value| fits &= !mentions(value));
    walk::sets(inside, &mut |condition, to, value| {
        fits &= !to.indices.iter().any(mentions);
        if !group.contains(&to.cell) {
            fits &= !mentions(value) && !condition.is_some_and(mentions);
            return;
        }
        match value {
            Value::Load(from) if is_moved(cell, &group, to, from) => fits &= !condition.is_some_and(mentions),
            value => {
                let step = step(to, condition, value, &mentions);
                fits &= step.is_some() && (found.is_none() || found == step);
                found = found.or(step);
            }
        }
    });
    found.filter(|_| fits)
}

/// Whether a number goes on in another that stands for it.
fn is_moved(cell: u32, group: &[u32], to: &Place, from: &Place) -> bool {
    group.contains(&from.cell) && to.cell != from.cell && (to.cell == cell || from.cell == cell)
}

/// What a round does with what was left at a place.
fn step(to: &Place, condition: Option<&Value>, value: &Value, mentions: &dyn Fn(&Value) -> bool) -> Option<Join> {
    let own = Value::Load(to.clone());
    if let Some(condition) = condition {
        return match best(&own, condition, value, mentions) {
            Some(best) => Some(best),
            None => (!mentions(condition)).then(|| step(to, None, value, mentions)).flatten(),
        };
    }
    match value {
        Value::Prim(prim, _, both) => match (prim, &both[..]) {
            (Prim::Add | Prim::Sub, [a, b]) if *a == own && !mentions(b) => Some(Join::Sum),
            (Prim::Min | Prim::Max, [a, b]) if *a == own && !mentions(b) => Some(Join::Most(*prim)),
            _ => None,
        },
        Value::Select(p) if p.2 == own => step(to, Some(&p.0), &p.1, mentions),
        _ => None,
    }
}

/// Where a comparison says so, another takes its place.
fn best(own: &Value, condition: &Value, value: &Value, mentions: &dyn Fn(&Value) -> bool) -> Option<Join> {
    let Value::Prim(prim @ (Prim::Lt | Prim::Gt), Number::Real, both) = condition else { return None };
    let turned = if *prim == Prim::Lt { Prim::Gt } else { Prim::Lt };
    match &both[..] {
        [a, b] if a == own && b == value && !mentions(b) => Some(Join::Best(*prim)),
        [a, b] if b == own && a == value && !mentions(a) => Some(Join::Best(turned)),
        _ => None,
    }
}
