//! What becomes of a success or a failure: the thing that waited for it goes on.

use std::mem;

use crate::rule::ContextUse;
use redexter_language::ground::Budget;

use super::super::cycle::Cycle;
use super::super::trace::Step;
use super::bit::Bit;
use super::code::{Graph, Id, Op};
use super::cursor::Cursor;
use super::failures::Memory;
use super::footprint::{OpFootprint, footprint, is_silent, meant, recurs};
use super::machine::{Engine, Halt, Next};
use super::rounds::Rounds;
use super::stack::{Repeat, Waiting};

impl Engine {
    pub(super) fn succeed(&mut self) -> Result<Next, Halt> {
        let Some(entry) = self.stack.pop() else { return Ok(Next::Yes) };
        match entry.waiting {
            Waiting::Then(b, before) => return self.within(Waiting::Undo(before), b),
            Waiting::Undo(_) | Waiting::Else(_) | Waiting::Tried(..) => {}
            Waiting::One(..) | Waiting::Only(..) => {
                self.cursor.up();
            }
            Waiting::All(s, before, mark) => {
                if self.steps.len() == mark {
                    let bit = self.bit(s, Memory::Idle);
                    self.note(bit);
                }
                let k = self.cursor.up();
                return self.all(s, k + 1, before);
            }
            Waiting::Some(s, _) => {
                let k = self.cursor.up();
                return self.some(s, k + 1, true);
            }
            Waiting::Test(wanted, before) => {
                self.restore(before);
                return Ok(if wanted { Next::Yes } else { Next::No(true) });
            }
            Waiting::Repeat(mut repeat) => {
                repeat.round(&mut self.cursor, &self.steps, &self.code, &self.budget)?;
                let body = repeat.body;
                repeat.turns = repeat.turns.map(|_| self.cursor.turns());
                return self.within(Waiting::Repeat(repeat), body);
            }
            Waiting::Times(s, left, before, mark) => {
                if left > 0 && self.steps.len() > mark {
                    return self.within(Waiting::Times(s, left - 1, before, self.steps.len()), s);
                }
            }
            Waiting::Until(row, before, mut repeat) => {
                repeat.round(&mut self.cursor, &self.steps, &self.code, &self.budget)?;
                if !self.code.patterns[row].occurs_in(&self.cursor.focus) {
                    let body = repeat.body;
                    return self.within(Waiting::Until(row, before, repeat), body);
                }
            }
            Waiting::Cheaper(before) => {
                let (now, then) = (&self.cursor.focus, &before.term);
                if now != then {
                    let raises = self.measure.get_or_insert_with(self.work);
                    if raises(then, now, &self.bounds) {
                        self.discard(before);
                    }
                }
            }
            Waiting::Force => self.forced -= 1,
            Waiting::Unfold(outside) => self.names = outside,
        }
        Ok(Next::Yes)
    }

    pub(super) fn fail(&mut self, deep: bool) -> Result<Next, Halt> {
        let Some(entry) = self.stack.pop() else { return Ok(Next::No(deep)) };
        match entry.waiting {
            Waiting::Then(..) => Ok(Next::No(deep)),
            Waiting::Undo(before) => {
                self.restore(before);
                Ok(Next::No(true))
            }
            Waiting::Else(choice) => match self.code.op(choice) {
                Op::Choice(_, b) => self.within(Waiting::Tried(choice, deep), b),
                _ => Ok(Next::No(deep)),
            },
            Waiting::Tried(_, first) => Ok(Next::No(first || deep)),
            Waiting::One(s, _) => {
                let bit = self.bit(s, Memory::Failure);
                self.note(bit);
                let k = self.cursor.up();
                self.refresh();
                self.one(s, k + 1)
            }
            Waiting::Only(_, _, bit) => {
                self.note(bit);
                self.cursor.up();
                self.refresh();
                Ok(Next::No(true))
            }
            Waiting::All(_, before, _) => {
                self.cursor.up();
                self.restore(before);
                Ok(Next::No(true))
            }
            Waiting::Some(s, any) => {
                let k = self.cursor.up();
                self.some(s, k + 1, any)
            }
            Waiting::Test(wanted, _) => Ok(if wanted { Next::No(deep) } else { Next::Yes }),
            Waiting::Repeat(_) | Waiting::Cheaper(_) => Ok(Next::Yes),
            Waiting::Times(_, _, before, _) | Waiting::Until(_, before, _) => {
                self.restore(before);
                Ok(Next::No(true))
            }
            Waiting::Force => {
                self.forced -= 1;
                Ok(Next::No(deep))
            }
            Waiting::Unfold(outside) => {
                self.names = outside;
                Ok(Next::No(deep))
            }
        }
    }

    pub(super) fn repetition(&mut self, body: Id, whole: Option<usize>) -> Box<Repeat> {
        let OpFootprint { context, longest, uses, .. } = self.footprint(body);
        if context == ContextUse::Marks {
            self.cursor.follow_marks();
        }
        Box::new(Repeat {
            body,
            whole: whole.filter(|_| self.forced == 0),
            rounds: Rounds::new(self.cursor.shape(), self.steps.len()),
            depth: self.cursor.depth(),
            reach: (context != ContextUse::Everything).then_some(longest),
            uses,
            turns: (context == ContextUse::Marks).then_some(self.cursor.turns()),
        })
    }

    pub(super) fn until(&mut self, row: usize, whole: usize, body: Id) -> Result<Next, Halt> {
        if self.code.patterns[row].occurs_in(&self.cursor.focus) {
            return Ok(Next::Yes);
        }
        let repeat = self.repetition(body, Some(whole));
        self.within(Waiting::Until(row, self.before(), repeat), body)
    }

    pub(super) fn footprint(&mut self, id: Id) -> OpFootprint {
        if let Some(known) = self.footprints.get(&id) {
            return *known;
        }
        let found = footprint(&mut self.code, id);
        self.footprints.insert(id, found);
        found
    }

    /// The bit by which nodes remember this of an operation.
    #[inline]
    pub(super) fn bit(&mut self, id: Id, memory: Memory) -> Bit {
        self.failures.bit(id, memory).unwrap_or_else(|| self.new_bit(id, memory))
    }

    /// There are few bits: what runs on a certain child and doesn't run itself again isn't run often.
    #[cold]
    fn new_bit(&mut self, id: Id, memory: Memory) -> Bit {
        let meant = meant(&mut self.code, id);
        let bit = match memory {
            Memory::Failure if meant != id => self.bit(meant, memory),
            Memory::Failure => self.give_bit(id),
            Memory::Below if recurs(&mut self.code, meant) => self.bit(id, Memory::Failure),
            Memory::Idle if recurs(&mut self.code, id) && is_silent(&mut self.code, id) => self.give_bit(id),
            Memory::Below | Memory::Idle => Bit::NONE,
        };
        self.failures.keep(id, memory, bit)
    }

    fn give_bit(&mut self, id: Id) -> Bit {
        let footprint = self.footprint(id);
        if footprint.context == ContextUse::Marks {
            self.cursor.follow_marks();
        }
        self.failures.give(footprint)
    }

    /// Notes that what has this bit comes to nothing on the focus.
    #[inline]
    pub(super) fn note(&mut self, bit: Bit) {
        let Engine { failures, cursor, .. } = self;
        failures.note(bit, cursor.focus.held(), |ordered| cursor.signature(ordered));
    }
}

impl Repeat {
    /// After a round. Equal terms at one place have equal futures, so that a term that comes back does so for ever. A
    /// round that rewrites nothing counts as an unfolding: nothing goes on for ever uncounted.
    #[inline]
    pub(super) fn round(
        &mut self,
        cursor: &mut Cursor,
        steps: &[Step],
        code: &Graph,
        budget: &Budget,
    ) -> Result<(), Halt> {
        if self.rounds.passes(cursor.shape(), steps.len()) {
            return Ok(());
        }
        self.look_closer(cursor, steps, code, budget)
    }

    #[cold]
    fn look_closer(&mut self, cursor: &mut Cursor, steps: &[Step], code: &Graph, budget: &Budget) -> Result<(), Halt> {
        if let Some(whole) = self.whole {
            let shape = cursor.shape();
            let mut now = || cursor.term_at(self.depth);
            if let Some(start) = self.rounds.returns(shape, steps, self.depth, budget, &mut now)? {
                let cycle = Cycle::new(&code.wholes[whole], &now(), &steps[start..], self.depth);
                return Err(Halt::Looping(Box::new(cycle)));
            }
        }
        if mem::replace(&mut self.rounds.before, steps.len()) == steps.len() {
            budget.step()?;
        }
        Ok(())
    }
}
