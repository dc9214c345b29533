//! Looks out for loops (Brent's algorithm): a repetition that is back at a term that it had goes round for ever.
//!
//! The same rounds are compared as by the reference interpreter's memory (Brent 1980), but by the shape of the whole first,
//! of which a repetition changes nothing but its own term. Only where shapes are equal the term is put together, and the
//! remembered one found again by taking back the steps since then.

use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::Term;

use super::super::trace::Step;

/// One term of a repetition, by the shape of the whole then.
pub(super) struct CycleDetector {
    remembered: u64,
    /// The remembered term, once it had to be found again.
    term: Option<Term>,
    /// How many steps were taken before the remembered term.
    pub(super) mark: usize,
    /// After so many rounds another term is remembered, for twice as many as this one was.
    left: u64,
    renewal: u64,
    /// How many steps were taken before this round.
    pub(super) before: usize,
}

impl CycleDetector {
    pub(super) fn new(shape: u64, mark: usize) -> CycleDetector {
        CycleDetector { remembered: shape, term: None, mark, left: 1, renewal: 1, before: mark }
    }

    /// Counts a round after which the whole has this shape and so many steps were taken, if there is nothing more to it: it
    /// took steps, led to a term that isn't the remembered one, and that isn't to be remembered.
    #[inline]
    pub(super) fn passes(&mut self, shape: u64, steps: usize) -> bool {
        // Different shapes are of different terms, so that no term is put together where the shape isn't the remembered one.
        let passes = shape != self.remembered && self.left > 1 && steps != self.before;
        if passes {
            self.left -= 1;
            self.before = steps;
        }
        passes
    }

    /// After a round that ends with these steps, the whole being of this shape: how many of them there were when the
    /// repetition had this term before, if it did. `depth` is the depth of the term in the whole, `now` gives the term.
    pub(super) fn returns(
        &mut self,
        shape: u64,
        steps: &[Step],
        depth: usize,
        budget: &Budget,
        now: impl FnOnce() -> Term,
    ) -> Result<Option<usize>, StopReason> {
        if shape == self.remembered {
            let now = now();
            // Found again once, since it stays the same until another one is remembered.
            if self.term.is_none() {
                self.term = taken_back(&steps[self.mark..], depth, &now, budget)?;
            }
            // Different terms may have equal shapes, so that the terms must be compared, too.
            if self.term.as_ref() == Some(&now) {
                return Ok(Some(self.mark));
            }
        }
        self.left -= 1;
        if self.left == 0 {
            (self.remembered, self.term, self.mark) = (shape, None, steps.len());
            // Twice as many rounds each time, so that a loop of whatever length once fits in between.
            self.renewal *= 2;
            self.left = self.renewal;
        }
        Ok(None)
    }
}

/// The term before these steps, which lie inside the term at this depth.
fn taken_back(steps: &[Step], depth: usize, now: &Term, budget: &Budget) -> Result<Option<Term>, StopReason> {
    let mut term = now.clone();
    for step in steps.iter().rev() {
        budget.tick()?;
        match step.undo(depth, &term) {
            Some(before) => term = before,
            None => return Ok(None),
        }
    }
    Ok(Some(term))
}
