//! Hands a success or a failure to the frame that waits for it, which goes on or passes it on.

use std::mem;

use crate::rule::ContextUse;
use redexter_language::ground::Budget;

use super::super::cycle::Cycle;
use super::super::trace::Step;
use super::code::{OpGraph, OpId, StrategyOp};
use super::cursor::Cursor;
use super::cycle_detection::CycleDetector;
use super::failure_bit::FailureBit;
use super::failures::FailureMemory;
use super::footprint::{OpFootprint, footprint, is_silent, meant, recurs};
use super::machine::{Engine, EngineHalt, NextAction};
use super::stack::{Continuation, Repetition};

impl Engine {
    /// Hands on a success: the focus is the term that was given.
    pub(super) fn succeed(&mut self) -> Result<NextAction, EngineHalt> {
        let Some(entry) = self.stack.pop() else { return Ok(NextAction::Yes) };
        match entry.waiting {
            // With the state before `a`, because a failure of `b` takes back both.
            Continuation::Then(b, before) => return self.within(Continuation::Undo(before), b),
            Continuation::Undo(_) | Continuation::Else(_) | Continuation::Tried(..) => {}
            Continuation::One(..) | Continuation::Only(..) => {
                self.cursor.up();
            }
            Continuation::All(s, before, mark) => {
                // `s` has rewritten nothing in this child, so that the child can remember it.
                if self.steps.len() == mark {
                    let bit = self.bit(s, FailureMemory::Idle);
                    self.note(bit);
                }
                let k = self.cursor.up();
                return self.all(s, k + 1, before);
            }
            Continuation::Some(s, _) => {
                let k = self.cursor.up();
                return self.some(s, k + 1, true);
            }
            Continuation::Test(wanted, before) => {
                // A test must change nothing, whatever its strategy did.
                self.restore(before);
                // Deep, because what `not` fails for is that its strategy succeeded, anywhere in the term.
                return Ok(if wanted { NextAction::Yes } else { NextAction::No(true) });
            }
            Continuation::Repeat(mut repeat) => {
                repeat.round(&mut self.cursor, &self.steps, &self.code, &self.budget)?;
                let body = repeat.body;
                // The next round begins at the repetition's own term, so that it sees all marks as they are now.
                repeat.turns = repeat.turns.map(|_| self.cursor.turns());
                return self.within(Continuation::Repeat(repeat), body);
            }
            Continuation::Times(s, left, before, mark) => {
                // A time that rewrote nothing would do the same again, so that the others are left out.
                if left > 0 && self.steps.len() > mark {
                    return self.within(Continuation::Times(s, left - 1, before, self.steps.len()), s);
                }
            }
            Continuation::Until(row, before, mut repeat) => {
                repeat.round(&mut self.cursor, &self.steps, &self.code, &self.budget)?;
                if !self.code.patterns[row].occurs_in(&self.cursor.focus) {
                    let body = repeat.body;
                    return self.within(Continuation::Until(row, before, repeat), body);
                }
            }
            Continuation::Cheaper(before) => {
                let (now, then) = (&self.cursor.focus, &before.term);
                // Equal terms take equal work, so that they need not be measured.
                if now != then {
                    // One measure for the whole run, so that it can remember what it has measured.
                    let raises = self.measure.get_or_insert_with(self.work);
                    if raises(then, now, &self.bounds) {
                        self.discard(before);
                    }
                }
            }
            Continuation::Force => self.forced -= 1,
            Continuation::Unfold(outside) => self.names = outside,
        }
        Ok(NextAction::Yes)
    }

    /// Hands on a failure. What has failed has left the focus as it was, so that each frame need only take back what was done
    /// before that.
    pub(super) fn fail(&mut self, deep: bool) -> Result<NextAction, EngineHalt> {
        let Some(entry) = self.stack.pop() else { return Ok(NextAction::No(deep)) };
        match entry.waiting {
            Continuation::Then(..) => Ok(NextAction::No(deep)),
            // Deep, because `b` failed on a term that `a` had made: any change below may let `a` make another one.
            Continuation::Undo(before) => {
                self.restore(before);
                Ok(NextAction::No(true))
            }
            Continuation::Else(choice) => match self.code.op(choice) {
                StrategyOp::Choice(_, b) => self.within(Continuation::Tried(choice, deep), b),
                _ => Ok(NextAction::No(deep)),
            },
            Continuation::Tried(_, first) => Ok(NextAction::No(first || deep)),
            // The note is about the child, so that it comes before `up`; rounds that are done may have rewritten the child, so
            // that the frame around must be told after it.
            Continuation::One(s, _) => {
                let bit = self.bit(s, FailureMemory::Failure);
                self.note(bit);
                let k = self.cursor.up();
                self.refresh();
                self.one(s, k + 1)
            }
            Continuation::Only(_, _, bit) => {
                self.note(bit);
                self.cursor.up();
                self.refresh();
                Ok(NextAction::No(true))
            }
            // Up first, because `before` has the term around the children.
            Continuation::All(_, before, _) => {
                self.cursor.up();
                self.restore(before);
                Ok(NextAction::No(true))
            }
            Continuation::Some(s, any) => {
                let k = self.cursor.up();
                self.some(s, k + 1, any)
            }
            Continuation::Test(wanted, _) => Ok(if wanted { NextAction::No(deep) } else { NextAction::Yes }),
            // A round that fails has restored the term that it began with, so that the repetition ends there.
            Continuation::Repeat(_) | Continuation::Cheaper(_) => Ok(NextAction::Yes),
            Continuation::Times(_, _, before, _) | Continuation::Until(_, before, _) => {
                self.restore(before);
                Ok(NextAction::No(true))
            }
            Continuation::Force => {
                self.forced -= 1;
                Ok(NextAction::No(deep))
            }
            Continuation::Unfold(outside) => {
                self.names = outside;
                Ok(NextAction::No(deep))
            }
        }
    }

    pub(super) fn repetition(&mut self, body: OpId, whole: Option<usize>) -> Box<Repetition> {
        let OpFootprint { context, longest, uses, .. } = self.footprint(body);
        // Before `turns` is read below, because nothing is counted until marks are followed.
        if context == ContextUse::Marks {
            self.cursor.follow_marks();
        }
        Box::new(Repetition {
            body,
            // Under `force` a repetition runs until a limit, so that no loops are looked for.
            whole: whole.filter(|_| self.forced == 0),
            rounds: CycleDetector::new(self.cursor.shape(), self.steps.len()),
            depth: self.cursor.depth(),
            // Rules that see everything may answer otherwise after any change, so that each round must begin anew.
            reach: (context != ContextUse::Everything).then_some(longest),
            uses,
            turns: (context == ContextUse::Marks).then_some(self.cursor.turns()),
        })
    }

    pub(super) fn until(&mut self, row: usize, whole: usize, body: OpId) -> Result<NextAction, EngineHalt> {
        if self.code.patterns[row].occurs_in(&self.cursor.focus) {
            return Ok(NextAction::Yes);
        }
        let repeat = self.repetition(body, Some(whole));
        self.within(Continuation::Until(row, self.before(), repeat), body)
    }

    pub(super) fn footprint(&mut self, id: OpId) -> OpFootprint {
        if let Some(known) = self.footprints.get(&id) {
            return *known;
        }
        let found = footprint(&mut self.code, id);
        self.footprints.insert(id, found);
        found
    }

    /// The bit by which nodes remember this of an operation.
    #[inline]
    pub(super) fn bit(&mut self, id: OpId, memory: FailureMemory) -> FailureBit {
        self.failures.bit(id, memory).unwrap_or_else(|| self.new_bit(id, memory))
    }

    /// There are few bits: what runs on a certain child and doesn't run itself again isn't run often.
    #[cold]
    fn new_bit(&mut self, id: OpId, memory: FailureMemory) -> FailureBit {
        let meant = meant(&mut self.code, id);
        let bit = match memory {
            // A use of a definition fails where its body does, so that both share one of the few bits.
            FailureMemory::Failure if meant != id => self.bit(meant, memory),
            FailureMemory::Failure => self.give_bit(id),
            FailureMemory::Below if recurs(&mut self.code, meant) => self.bit(id, FailureMemory::Failure),
            // Uses of definitions are counted and named, so that only what has none may be passed over.
            FailureMemory::Idle if recurs(&mut self.code, id) && is_silent(&mut self.code, id) => self.give_bit(id),
            FailureMemory::Below | FailureMemory::Idle => FailureBit::NONE,
        };
        self.failures.keep(id, memory, bit)
    }

    fn give_bit(&mut self, id: OpId) -> FailureBit {
        let footprint = self.footprint(id);
        if footprint.context == ContextUse::Marks {
            // Notes about it need the signatures of places, which the marks give.
            self.cursor.follow_marks();
        }
        self.failures.give(footprint)
    }

    /// Notes that what has this bit comes to nothing on the focus.
    #[inline]
    pub(super) fn note(&mut self, bit: FailureBit) {
        let Engine { failures, cursor, .. } = self;
        failures.note(bit, cursor.focus.held(), |ordered| cursor.signature(ordered));
    }
}

impl Repetition {
    /// After a round. Equal terms at one place have equal futures, so that a term that comes back does so for ever. A
    /// round that rewrites nothing counts as an unfolding: nothing goes on for ever uncounted.
    #[inline]
    pub(super) fn round(
        &mut self,
        cursor: &mut Cursor,
        steps: &[Step],
        code: &OpGraph,
        budget: &Budget,
    ) -> Result<(), EngineHalt> {
        if self.rounds.passes(cursor.shape(), steps.len()) {
            return Ok(());
        }
        self.look_closer(cursor, steps, code, budget)
    }

    #[cold]
    fn look_closer(
        &mut self,
        cursor: &mut Cursor,
        steps: &[Step],
        code: &OpGraph,
        budget: &Budget,
    ) -> Result<(), EngineHalt> {
        if let Some(whole) = self.whole {
            let shape = cursor.shape();
            let mut now = || cursor.term_at(self.depth);
            if let Some(start) = self.rounds.returns(shape, steps, self.depth, budget, &mut now)? {
                let cycle = Cycle::new(&code.wholes[whole], &now(), &steps[start..], self.depth);
                return Err(EngineHalt::Looping(Box::new(cycle)));
            }
        }
        if mem::replace(&mut self.rounds.before, steps.len()) == steps.len() {
            budget.step()?;
        }
        Ok(())
    }
}
