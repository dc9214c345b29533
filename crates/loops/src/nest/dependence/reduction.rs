//! Recognises reductions: cells to which each iteration of a loop adds, or which it improves, and that nothing else reads.

use crate::nest::ir::walk::{changed, declared};
use crate::nest::ir::{NestPlace, NestValue, ScalarKind, Stmt, each};
use redexter_language::term::Prim;

/// How what threads gathered is put together, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Added. Each begins with 0.
    Sum,
    /// The first for which `<` says that there is none larger, or `>` none smaller. Each begins with what was there.
    Best(Prim),
    /// `min` or `max`. Each begins with what was there.
    Most(Prim),
}

/// The reduction that a loop does on a number, or on each element of an array; none where anything else reads it, or it changes
/// in another way. Numbers in which an element runs meanwhile belong to it.
pub(in crate::nest) fn join(cell: u32, inside: &[Stmt]) -> Option<Reduction> {
    let declared = declared(inside);
    // A loop inside may run in a number that is loaded from the cell and stored back. It must be declared inside: another would
    // show to others what was gathered so far.
    let mut group = vec![cell];
    sets(inside, &mut |_, to, value| {
        if let NestValue::Load(from) = value
            && from.cell == cell
            && declared.contains(&to.cell)
            && !group.contains(&to.cell)
        {
            group.push(to.cell);
        }
    });
    if !group.iter().skip(1).all(|number| stands_for_one(*number, cell, inside)) {
        return None;
    }
    let mentions = |value: &NestValue| group.iter().any(|cell| value.mentions(*cell));
    let (mut found, mut fits) = (None, true);
    // Partial results depend on the order of iterations, so that nothing but the steps themselves may read them.
    asked(inside, &mut |value| fits &= !mentions(value));
    sets(inside, &mut |condition, to, value| {
        // Where something is stored mustn't depend on what was gathered so far either.
        fits &= !to.indices.iter().any(mentions);
        if !group.contains(&to.cell) {
            fits &= !mentions(value) && !condition.is_some_and(mentions);
            return;
        }
        match value {
            NestValue::Load(from) if is_moved(cell, &group, to, from) => fits &= !condition.is_some_and(mentions),
            value => {
                // All steps have to be of one kind, otherwise partial results can't be put together: a sum of maxima is neither.
                let step = step(to, condition, value, &mentions);
                fits &= step.is_some() && (found.is_none() || found == step);
                found = found.or(step);
            }
        }
    });
    found.filter(|_| fits)
}

/// Whether a number stands for one element of a cell from where it is declared on: the same indices are written wherever one
/// goes on in the other, and nothing changes them there.
fn stands_for_one(number: u32, cell: u32, body: &[Stmt]) -> bool {
    // It lives in the block that declares it: only there must its element stay the same.
    if !body.iter().any(|stmt| matches!(stmt, Stmt::Var(slot) if slot.cell == number)) {
        return body.iter().flat_map(Stmt::inside).all(|inside| stands_for_one(number, cell, inside));
    }
    let (mut element, mut fits): (Option<&[NestValue]>, bool) = (None, true);
    each(body, &mut |stmt| {
        if let Stmt::Set(to, NestValue::Load(from)) = stmt
            && let Some(place) = [(to, from), (from, to)]
                .into_iter()
                .find_map(|(a, b)| (a.cell == cell && b.cell == number).then_some(a))
        {
            fits &= *element.get_or_insert(&place.indices) == &place.indices[..];
        }
    });
    let changed = changed(body);
    fits && !element.into_iter().flatten().any(|index| changed.iter().any(|cell| index.mentions(*cell)))
}

/// Whether a number goes on in another that stands for it.
fn is_moved(cell: u32, group: &[u32], to: &NestPlace, from: &NestPlace) -> bool {
    group.contains(&from.cell) && to.cell != from.cell && (to.cell == cell || from.cell == cell)
}

/// What an iteration does with what was left at a place.
fn step(
    to: &NestPlace,
    condition: Option<&NestValue>,
    value: &NestValue,
    mentions: &dyn Fn(&NestValue) -> bool,
) -> Option<Reduction> {
    let own = NestValue::Load(to.clone());
    if let Some(condition) = condition {
        return match best(&own, condition, value, mentions) {
            Some(best) => Some(best),
            // A condition on something else alone decides whether there is a step, not which.
            None => (!mentions(condition)).then(|| step(to, None, value, mentions)).flatten(),
        };
    }
    match value {
        NestValue::Prim(prim, _, both) => match (prim, &both[..]) {
            // What is subtracted is added as its negative: partial sums begin with 0 and are added in the end.
            (Prim::Add | Prim::Sub, [a, b]) if *a == own && !mentions(b) => Some(Reduction::Sum),
            (Prim::Min | Prim::Max, [a, b]) if *a == own && !mentions(b) => Some(Reduction::Most(*prim)),
            _ => None,
        },
        NestValue::Select(p) if p.2 == own => step(to, Some(&p.0), &p.1, mentions),
        _ => None,
    }
}

/// Where a comparison says so, another takes its place.
fn best(
    own: &NestValue,
    condition: &NestValue,
    value: &NestValue,
    mentions: &dyn Fn(&NestValue) -> bool,
) -> Option<Reduction> {
    let NestValue::Prim(prim @ (Prim::Lt | Prim::Gt), ScalarKind::Real, both) = condition else { return None };
    // The comparison is kept as it reads with what was left on its left side, since threads' results are compared so.
    let turned = if *prim == Prim::Lt { Prim::Gt } else { Prim::Lt };
    match &both[..] {
        [a, b] if a == own && b == value && !mentions(b) => Some(Reduction::Best(*prim)),
        [a, b] if b == own && a == value && !mentions(a) => Some(Reduction::Best(turned)),
        _ => None,
    }
}

/// Does something with each number that is stored, and the condition of a branch that stores it and nothing else.
fn sets<'a>(body: &'a [Stmt], work: &mut dyn FnMut(Option<&'a NestValue>, &'a NestPlace, &'a NestValue)) {
    // `each` comes to a branch before what stands in it: the statement is then known by its address and isn't told twice.
    let mut alone = Vec::new();
    each(body, &mut |stmt| match stmt {
        Stmt::If(condition, a, b) => {
            if let ([set @ Stmt::Set(place, value)], []) = (&a[..], &b[..]) {
                alone.push(std::ptr::from_ref(set));
                work(Some(condition), place, value);
            }
        }
        Stmt::Set(place, value) if !alone.contains(&std::ptr::from_ref(stmt)) => work(None, place, value),
        _ => {}
    });
}

/// Does something with each value that isn't stored, but asked, declared or runs to; not with conditions of branches that store
/// a number and nothing else.
fn asked<'a>(body: &'a [Stmt], work: &mut dyn FnMut(&'a NestValue)) {
    each(body, &mut |stmt| match stmt {
        Stmt::Let(_, value) => work(value),
        // `sets` tells these conditions together with what they guard.
        Stmt::If(_, a, b) if matches!((&a[..], &b[..]), ([Stmt::Set(..)], [])) => {}
        Stmt::If(condition, ..) => work(condition),
        Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => {
            [&range.from, &range.to].into_iter().chain(&range.most).for_each(&mut *work);
        }
        Stmt::Var(_) | Stmt::Set(..) | Stmt::Strips(..) => {}
    });
}
