//! Goes on with the next round of a repetition where the last one left off.
//!
//! The next round would go the same way down again, as long as everything that failed on this way fails again. What
//! failed on other children does: they are the same. What failed on a term around the change is asked again only where
//! a rule looks so far, or asks about the uses of a variable that the change uses differently, or failed for a reason
//! that may lie anywhere below. The outermost such place is where the search goes on; without one, it is the change.
//! Where rules see what the context says about variables and a change makes it say something else, of whatever binder
//! around, the round begins anew.

use std::mem;

use smallvec::SmallVec;

use crate::rule::BinderKinds;
use redexter_language::term::Term;

use super::code::OpId;
use super::cursor::Cursor;
use super::footprint::{asks_uses, reaches};
use super::machine::Engine;
use super::next_action::{EnclosingRepeat, EngineHalt, NextAction};
use super::stack::{Continuation, ResumeRegion, StackFrame};

/// The focus is the result of a round; between it and the repetition nothing happens but going up. None where a
/// success is handed on as ever.
pub(super) fn resume(engine: &mut Engine) -> Result<Option<NextAction>, EngineHalt> {
    let ResumeRegion { repeat, kid, .. } = engine.region();
    let (repeat, kid) = (repeat as usize - 1, kid as usize - 1);
    // What stands above are alternatives and names, so that the focus stays.
    unwind(engine, kid + 1);
    let now = engine.cursor.focus.clone();
    let (Continuation::One(body, then) | Continuation::Only(body, then, _)) = &mut engine.stack[kid].waiting else {
        return Ok(None);
    };
    // The frame keeps the child as the rounds so far have made it, because the next round compares with that.
    let (body, then) = (*body, mem::replace(then, now));
    // The way down may be another one now, so that the repetition itself counts this round and begins the next one.
    if is_turned(engine, repeat) {
        unwind(engine, repeat + 1);
        return Ok(None);
    }
    finish_round(engine, repeat)?;
    let around = around(engine, repeat);
    let binders = asked_binders(engine, &around, &then);
    let deep = (engine.stack[kid].region.deep as usize).checked_sub(1);
    let base = engine.cursor.depth();
    let seen = seen_by(engine, &around, base);
    match outer(outer(deep, seen), used_by(engine, &around, &binders, base)) {
        Some(place) => Ok(Some(again(engine, place))),
        // All that failed on the way down would fail again, so that the next round would come down to here.
        None => Ok(Some(NextAction::Run(body))),
    }
}

/// Takes away what waits from this place of the stack on, and goes up as far.
pub(super) fn unwind(engine: &mut Engine, place: usize) {
    while engine.stack.len() > place {
        match engine.stack.pop().map(|entry| entry.waiting) {
            Some(Continuation::One(..) | Continuation::Only(..)) => {
                engine.cursor.up();
            }
            Some(Continuation::Unfold(outside)) => engine.names = outside,
            // `force` ends a region, so that none is unwound and its count stays right.
            _ => {}
        }
    }
}

/// The choice of which something was tried there, on the term that it was tried on.
pub(super) fn again(engine: &mut Engine, place: usize) -> NextAction {
    let next = match engine.stack[place].waiting {
        Continuation::Tried(choice, _) => NextAction::Run(choice),
        _ => NextAction::No(true),
    };
    // With the frame at that place, because the choice puts up another one when it runs.
    unwind(engine, place);
    refresh(engine);
    next
}

/// Tells the frame around that the child it came down to has been rewritten further below, in rounds that are done.
pub(super) fn refresh(engine: &mut Engine) {
    if engine.region().kid > 0 {
        refresh_to(engine, engine.cursor.focus.clone());
    }
}

/// Tells the frame around that rounds that are done have made this of the child it came down to.
pub(super) fn refresh_to(engine: &mut Engine, now: Term) {
    let Some(place) = (engine.region().kid as usize).checked_sub(1) else { return };
    if let Continuation::One(_, then) | Continuation::Only(_, then, _) = &mut engine.stack[place].waiting
        && !then.same(&now)
    {
        *then = now;
    }
}

/// The repetition at this place of the stack.
pub(super) fn around(engine: &Engine, place: usize) -> EnclosingRepeat {
    match &engine.stack[place].waiting {
        Continuation::Repeat(repeat) => {
            EnclosingRepeat { place, depth: repeat.depth, reach: repeat.reach.unwrap_or(0), uses: repeat.uses }
        }
        _ => EnclosingRepeat { place, depth: engine.cursor.depth(), reach: 0, uses: BinderKinds::ALL },
    }
}

/// Whether rewrites have changed what its rules see of the context, wherever they have failed: then the next round of
/// the repetition at this place has to begin anew.
pub(super) fn is_turned(engine: &Engine, place: usize) -> bool {
    match &engine.stack[place].waiting {
        Continuation::Repeat(repeat) => repeat.turns.is_some_and(|turns| turns != engine.cursor.turns()),
        _ => true,
    }
}

/// Counts a round of the repetition at this place.
#[inline]
pub(super) fn finish_round(engine: &mut Engine, place: usize) -> Result<(), EngineHalt> {
    let Engine { stack, cursor, steps, code, budget, .. } = engine;
    let Continuation::Repeat(repeat) = &mut stack[place].waiting else { return Ok(()) };
    repeat.round(cursor, steps, code, budget)
}

/// The outermost place where something failed that looks as far as the focus, on a term no deeper than `base`.
pub(super) fn seen_by(engine: &mut Engine, around: &EnclosingRepeat, base: usize) -> Option<usize> {
    let Engine { stack, cursor, code, .. } = engine;
    let (now, way) = cursor.site();
    // Rules look down by `reach` at most, so that terms further out can't have seen the change. The outermost comes first.
    let mut nearest = around.depth.max(way.len().saturating_sub(around.reach))..way.len().min(base + 1);
    nearest.find_map(|depth| first_tried(stack, cursor, around, depth, |id| reaches(code, id, &way[depth..], now)))
}

/// The same for what asks about variables that are used differently now.
pub(super) fn used_by(engine: &mut Engine, around: &EnclosingRepeat, binders: &[usize], base: usize) -> Option<usize> {
    let Engine { stack, cursor, code, .. } = engine;
    let mut asked_at = |depth| {
        let term = &cursor.frame(depth).term;
        first_tried(stack, cursor, around, depth, |id| asks_uses(code, id, term))
    };
    // A rule asks only about variables bound within its reach, so it was tried at the binder or at most `reach` above.
    let nearest = |binder: usize| around.depth.max(binder.saturating_sub(around.reach))..=binder.min(base);
    binders.iter().filter_map(|binder| nearest(*binder).find_map(&mut asked_at)).min()
}

/// The depths of the binders within the repetition whose variables the focus uses differently than the term that was
/// there, if they are among those that are asked about. (Rules that don't see the place can't bring in others.)
pub(super) fn asked_binders(engine: &Engine, around: &EnclosingRepeat, then: &Term) -> SmallVec<[usize; 4]> {
    if !may_be_asked(engine, around, then) {
        return SmallVec::new();
    }
    then.used_otherwise(&engine.cursor.focus).filter_map(|index| asked(engine, around, index)).collect()
}

/// Whether there may be any.
#[inline]
pub(super) fn may_be_asked(engine: &Engine, around: &EnclosingRepeat, then: &Term) -> bool {
    around.uses.meet(engine.cursor.bound_by()) && mentions_asked(engine, around, then)
}

#[inline(never)]
fn mentions_asked(engine: &Engine, around: &EnclosingRepeat, then: &Term) -> bool {
    !then.lists_uses_alike(&engine.cursor.focus)
        && then.places().iter().any(|index| asked(engine, around, *index).is_some())
}

/// The depth of the binder of the variable with this index, if it is one that is asked about.
#[inline]
fn asked(engine: &Engine, around: &EnclosingRepeat, index: u32) -> Option<usize> {
    let binder = engine.cursor.binder(index).filter(|binder| *binder >= around.depth)?;
    around.uses.holds(engine.cursor.frame(binder).term.kind()).then_some(binder)
}

/// The place of the first choice that was tried on the term at this depth, failed, and may succeed now.
fn first_tried(
    stack: &[StackFrame],
    cursor: &Cursor,
    around: &EnclosingRepeat,
    depth: usize,
    mut may: impl FnMut(OpId) -> bool,
) -> Option<usize> {
    // What was tried on the term at this depth waits between the frame by which the way came there and the one by which it
    // goes on, because the stack grows along the way.
    let from = if depth == around.depth { around.place } else { cursor.place(depth - 1) };
    let mut places = from + 1..cursor.place(depth);
    places.find(|place| matches!(stack[*place].waiting, Continuation::Tried(choice, _) if may(choice)))
}

/// The outer one of two places, as far as there are any.
#[inline]
pub(super) fn outer(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        _ => one.or(other),
    }
}
