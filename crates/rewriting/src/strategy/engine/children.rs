//! Applies strategies to the children of a term: to one, to all, to some, or to a certain one.

use redexter_language::term::Node;

use super::code::OpId;
use super::failure_bit::FailureBit;
use super::failures::FailureMemory;
use super::machine::Engine;
use super::next_action::{EngineHalt, NextAction};
use super::stack::{Continuation, SavedState};

/// Goes down to child `k`, for what waits on the stack.
#[inline]
pub(super) fn visit(engine: &mut Engine, k: usize) {
    if let Some(profiler) = &mut engine.profiler {
        profiler.visited(engine.names.list());
    }
    engine.cursor.down(k, engine.stack.len());
}

/// On child `k` and no other.
pub(super) fn only(engine: &mut Engine, s: OpId, k: usize) -> Result<NextAction, EngineHalt> {
    let bit = engine.bit(s, FailureMemory::Below);
    match is_done(engine, k, bit) {
        // The node says that it failed and not why, so that the reason may lie anywhere below.
        true => Ok(NextAction::No(true)),
        false => descend(engine, k, s, bit),
    }
}

/// Down to child `k`, which remembers by this bit where `s` fails on it.
pub(super) fn descend(engine: &mut Engine, k: usize, s: OpId, bit: FailureBit) -> Result<NextAction, EngineHalt> {
    visit(engine, k);
    engine.within(Continuation::Only(s, engine.cursor.focus.clone(), bit), s)
}

/// On the first child from number `from` on where it succeeds.
pub(super) fn one(engine: &mut Engine, s: OpId, from: usize) -> Result<NextAction, EngineHalt> {
    let count = engine.cursor.focus.kid_count();
    if from >= count {
        // A leaf fails for its own constructor; otherwise children have failed, and rewrites in them may change that.
        return Ok(NextAction::No(count > 0));
    }
    let bit = engine.bit(s, FailureMemory::Failure);
    let Some(k) = open_kid(engine, from, bit, |_| true) else { return Ok(NextAction::No(true)) };
    visit(engine, k);
    engine.within(Continuation::One(s, engine.cursor.focus.clone()), s)
}

/// The first child from number `from` on that may be rewritten as far as its node says, by what has this bit.
#[inline]
pub(super) fn open_kid(
    engine: &mut Engine,
    from: usize,
    bit: FailureBit,
    may: impl Fn(&Node) -> bool,
) -> Option<usize> {
    let Engine { failures, cursor, .. } = engine;
    let kids = cursor.focus.nodes();
    // Asked from above, so that the cursor doesn't go down to children that are done.
    let mut is_done = |k: usize| failures.know(bit, &kids[k], |ordered| cursor.signature_below(k, ordered));
    (from..kids.len()).find(|k| may(&kids[*k]) && !is_done(*k))
}

/// Whether child `k` remembers that what has this bit doesn't rewrite it.
#[inline]
fn is_done(engine: &mut Engine, k: usize, bit: FailureBit) -> bool {
    let Engine { failures, cursor, .. } = engine;
    failures.know(bit, &cursor.focus.nodes()[k], |ordered| cursor.signature_below(k, ordered))
}

/// On every child from number `from` on; `before` them all.
pub(super) fn all(engine: &mut Engine, s: OpId, from: usize, before: SavedState) -> Result<NextAction, EngineHalt> {
    // Children that `s` is known to leave as they are can be passed over, because it would succeed on them.
    let bit = engine.bit(s, FailureMemory::Idle);
    let Some(k) = open_kid(engine, from, bit, |_| true) else { return Ok(NextAction::Yes) };
    visit(engine, k);
    engine.within(Continuation::All(s, before, engine.steps.len()), s)
}

/// On as many children from number `from` on as succeed; `any` has already.
pub(super) fn some(engine: &mut Engine, s: OpId, from: usize, any: bool) -> Result<NextAction, EngineHalt> {
    let count = engine.cursor.focus.kid_count();
    if from >= count {
        return Ok(if any { NextAction::Yes } else { NextAction::No(count > 0) });
    }
    visit(engine, from);
    engine.within(Continuation::Some(s, any), s)
}
