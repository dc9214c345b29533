//! Applies strategies to the children of a term: to one, to all, to some, or to a certain one.

use redexter_language::term::Node;

use super::code::OpId;
use super::failure_bit::FailureBit;
use super::failures::FailureMemory;
use super::machine::{Engine, EngineHalt, NextAction};
use super::stack::{Continuation, SavedState};

impl Engine {
    /// Goes down to child `k`, for what waits on the stack.
    #[inline]
    pub(super) fn visit(&mut self, k: usize) {
        if let Some(profiler) = &mut self.profiler {
            profiler.visited(self.names.list());
        }
        self.cursor.down(k, self.stack.len());
    }

    /// On child `k` and no other.
    pub(super) fn only(&mut self, s: OpId, k: usize) -> Result<NextAction, EngineHalt> {
        let bit = self.bit(s, FailureMemory::Below);
        match self.is_done(k, bit) {
            // The node says that it failed and not why, so that the reason may lie anywhere below.
            true => Ok(NextAction::No(true)),
            false => self.descend(k, s, bit),
        }
    }

    /// Down to child `k`, which remembers by this bit where `s` fails on it.
    pub(super) fn descend(&mut self, k: usize, s: OpId, bit: FailureBit) -> Result<NextAction, EngineHalt> {
        self.visit(k);
        self.within(Continuation::Only(s, self.cursor.focus.clone(), bit), s)
    }

    /// On the first child from number `from` on where it succeeds.
    pub(super) fn one(&mut self, s: OpId, from: usize) -> Result<NextAction, EngineHalt> {
        let count = self.cursor.focus.kid_count();
        if from >= count {
            // A leaf fails for its own constructor; otherwise children have failed, and rewrites in them may change that.
            return Ok(NextAction::No(count > 0));
        }
        let bit = self.bit(s, FailureMemory::Failure);
        let Some(k) = self.open_kid(from, bit, |_| true) else { return Ok(NextAction::No(true)) };
        self.visit(k);
        self.within(Continuation::One(s, self.cursor.focus.clone()), s)
    }

    /// The first child from number `from` on that may be rewritten as far as its node says, by what has this bit.
    #[inline]
    pub(super) fn open_kid(&mut self, from: usize, bit: FailureBit, may: impl Fn(&Node) -> bool) -> Option<usize> {
        let Engine { failures, cursor, .. } = self;
        let kids = cursor.focus.nodes();
        // Asked from above, so that the cursor doesn't go down to children that are done.
        let mut is_done = |k: usize| failures.know(bit, &kids[k], |ordered| cursor.signature_below(k, ordered));
        (from..kids.len()).find(|k| may(&kids[*k]) && !is_done(*k))
    }

    /// Whether child `k` remembers that what has this bit doesn't rewrite it.
    #[inline]
    fn is_done(&mut self, k: usize, bit: FailureBit) -> bool {
        let Engine { failures, cursor, .. } = self;
        failures.know(bit, &cursor.focus.nodes()[k], |ordered| cursor.signature_below(k, ordered))
    }

    /// On every child from number `from` on; `before` them all.
    pub(super) fn all(&mut self, s: OpId, from: usize, before: SavedState) -> Result<NextAction, EngineHalt> {
        // Children that `s` is known to leave as they are can be passed over, because it would succeed on them.
        let bit = self.bit(s, FailureMemory::Idle);
        let Some(k) = self.open_kid(from, bit, |_| true) else { return Ok(NextAction::Yes) };
        self.visit(k);
        self.within(Continuation::All(s, before, self.steps.len()), s)
    }

    /// On as many children from number `from` on as succeed; `any` has already.
    pub(super) fn some(&mut self, s: OpId, from: usize, any: bool) -> Result<NextAction, EngineHalt> {
        let count = self.cursor.focus.kid_count();
        if from >= count {
            return Ok(if any { NextAction::Yes } else { NextAction::No(count > 0) });
        }
        self.visit(from);
        self.within(Continuation::Some(s, any), s)
    }
}
