//! Hands a success or a failure to the frame that waits for it, which goes on or passes it on.

use super::children::{all, one, some};
use super::code::StrategyOp;
use super::failures::FailureMemory;
use super::machine::Engine;
use super::next_action::{EngineHalt, NextAction};
use super::resume::refresh;
use super::stack::Continuation;

/// Hands on a success: the focus is the term that was given.
pub(super) fn succeed(engine: &mut Engine) -> Result<NextAction, EngineHalt> {
    let Some(entry) = engine.stack.pop() else { return Ok(NextAction::Yes) };
    match entry.waiting {
        // With the state before `a`, because a failure of `b` takes back both.
        Continuation::Then(b, before) => return engine.within(Continuation::Undo(before), b),
        Continuation::Undo(_) | Continuation::Else(_) | Continuation::Tried(..) => {}
        Continuation::One(..) | Continuation::Only(..) => {
            engine.cursor.up();
        }
        Continuation::All(s, before, mark) => {
            // `s` has rewritten nothing in this child, so that the child can remember it.
            if engine.steps.len() == mark {
                let bit = engine.bit(s, FailureMemory::Idle);
                engine.note(bit);
            }
            let k = engine.cursor.up();
            return all(engine, s, k + 1, before);
        }
        Continuation::Some(s, _) => {
            let k = engine.cursor.up();
            return some(engine, s, k + 1, true);
        }
        Continuation::Test(wanted, before) => {
            // A test must change nothing, whatever its strategy did.
            engine.restore(before);
            // Deep, because what `not` fails for is that its strategy succeeded, anywhere in the term.
            return Ok(if wanted { NextAction::Yes } else { NextAction::No(true) });
        }
        Continuation::Repeat(mut repeat) => {
            repeat.round(&mut engine.cursor, &engine.steps, &engine.code, &engine.budget)?;
            let body = repeat.body;
            // The next round begins at the repetition's own term, so that it sees all marks as they are now.
            repeat.turns = repeat.turns.map(|_| engine.cursor.turns());
            return engine.within(Continuation::Repeat(repeat), body);
        }
        Continuation::Times(s, left, before, mark) => {
            // A time that rewrote nothing would do the same again, so that the others are left out.
            if left > 0 && engine.steps.len() > mark {
                return engine.within(Continuation::Times(s, left - 1, before, engine.steps.len()), s);
            }
        }
        Continuation::Until(row, before, mut repeat) => {
            repeat.round(&mut engine.cursor, &engine.steps, &engine.code, &engine.budget)?;
            if !engine.code.patterns[row].occurs_in(&engine.cursor.focus) {
                let body = repeat.body;
                return engine.within(Continuation::Until(row, before, repeat), body);
            }
        }
        Continuation::Cheaper(before, ..) => {
            engine.most_nodes = before.most_nodes;
            let (now, then) = (&engine.cursor.focus, &before.term);
            // Equal terms take equal work, so that they need not be measured.
            if now != then {
                // One measure for the whole run, so that it can remember what it has measured.
                let change = engine.measure.get_or_insert_with(engine.work);
                if change(then, now, &engine.bounds).is_rise() {
                    engine.discard(before, None);
                }
            }
        }
        Continuation::Other(t, before) => {
            let waiting = Continuation::Cheapest(engine.put_aside(before), engine.cursor.depth(), engine.names.clone());
            return engine.within(waiting, t);
        }
        Continuation::Cheapest(first, ..) => engine.keep_cheaper(*first),
        Continuation::Force => engine.forced -= 1,
        Continuation::Unfold(outside) => engine.names = outside,
    }
    Ok(NextAction::Yes)
}

/// Hands on a failure. What has failed has left the focus as it was, so that each frame need only take back what was done
/// before that.
pub(super) fn fail(engine: &mut Engine, deep: bool) -> Result<NextAction, EngineHalt> {
    let Some(entry) = engine.stack.pop() else { return Ok(NextAction::No(deep)) };
    match entry.waiting {
        Continuation::Then(..) => Ok(NextAction::No(deep)),
        // Deep, because `b` failed on a term that `a` had made: any change below may let `a` make another one.
        Continuation::Undo(before) => {
            engine.restore(before);
            Ok(NextAction::No(true))
        }
        Continuation::Else(choice) => match engine.code.op(choice) {
            StrategyOp::Choice(_, b) => engine.within(Continuation::Tried(choice, deep), b),
            _ => Ok(NextAction::No(deep)),
        },
        Continuation::Tried(_, first) => Ok(NextAction::No(first || deep)),
        // The note is about the child, so that it comes before `up`; rounds that are done may have rewritten the child, so
        // that the frame around must be told after it.
        Continuation::One(s, _) => {
            let bit = engine.bit(s, FailureMemory::Failure);
            engine.note(bit);
            let k = engine.cursor.up();
            refresh(engine);
            one(engine, s, k + 1)
        }
        Continuation::Only(_, _, bit) => {
            engine.note(bit);
            engine.cursor.up();
            refresh(engine);
            Ok(NextAction::No(true))
        }
        // Up first, because `before` has the term around the children.
        Continuation::All(_, before, _) => {
            engine.cursor.up();
            engine.restore(before);
            Ok(NextAction::No(true))
        }
        Continuation::Some(s, any) => {
            let k = engine.cursor.up();
            some(engine, s, k + 1, any)
        }
        Continuation::Test(wanted, _) => Ok(if wanted { NextAction::No(deep) } else { NextAction::Yes }),
        // A round that fails has restored the term that it began with, so that the repetition ends there.
        Continuation::Repeat(_) => Ok(NextAction::Yes),
        Continuation::Cheaper(before, ..) => {
            engine.most_nodes = before.most_nodes;
            Ok(NextAction::Yes)
        }
        Continuation::Cheapest(first, ..) => {
            engine.take_up(*first);
            Ok(NextAction::Yes)
        }
        // Its strategy stands under `cheaper`, which never fails.
        Continuation::Other(..) => Ok(NextAction::No(deep)),
        Continuation::Times(_, _, before, _) | Continuation::Until(_, before, _) => {
            engine.restore(before);
            Ok(NextAction::No(true))
        }
        Continuation::Force => {
            engine.forced -= 1;
            Ok(NextAction::No(deep))
        }
        Continuation::Unfold(outside) => {
            engine.names = outside;
            Ok(NextAction::No(deep))
        }
    }
}
