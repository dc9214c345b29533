//! Counts the rounds of a repetition, and looks out for one that leads back to a term that it had.

use std::mem;

use crate::rule::BinderKinds;
use redexter_language::ground::Budget;

use super::super::cycle::Cycle;
use super::super::trace::Step;
use super::code::{OpGraph, OpId};
use super::cursor::Cursor;
use super::cycle_detection::CycleDetector;
use super::next_action::EngineHalt;

/// A repetition that goes on.
pub(super) struct Repetition {
    pub(super) body: OpId,
    /// The whole as written, in the table of wholes; loops aren't looked for without it.
    pub(super) whole: Option<usize>,
    pub(super) rounds: CycleDetector,
    /// The depth of the term that it works on.
    pub(super) depth: usize,
    /// The longest way below a term at which some rule looks; `None` where the search has to begin anew each round.
    pub(super) reach: Option<usize>,
    /// The binders about whose variables' uses some rule asks.
    pub(super) uses: BinderKinds,
    /// How often what the context says about variables had changed when the last round began anew, if some rule sees that.
    pub(super) turns: Option<u64>,
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
