//! The look-out for loops: a repetition that is back at a term that it had goes round for ever.
//!
//! The same rounds are compared as by the reference interpreter's memory (Brent 1980), but by the term's shape first,
//! which is kept up to date by what each round changed. Only where shapes are equal the term is put together, and the
//! remembered one found again by taking back the steps since then.

use crate::ground::{Budget, StopReason};
use crate::term::Term;

use super::super::trace::Step;

/// One term of a repetition, by its shape, and how the term that it has now is shaped.
pub(super) struct Rounds {
    remembered: u64,
    /// The remembered term, once it had to be found again.
    term: Option<Term>,
    now: u64,
    /// How many steps were taken before the remembered term.
    mark: usize,
    rounds: u64,
    renewal: u64,
    /// How many steps were taken before this round.
    pub(super) before: usize,
}

impl Rounds {
    pub(super) fn new(term: &Term, mark: usize) -> Rounds {
        let shape = term.shape();
        Rounds { remembered: shape, term: None, now: shape, mark, rounds: 0, renewal: 1, before: mark }
    }

    /// A round has changed the shape of the term by so much.
    #[inline]
    pub(super) fn moved(&mut self, by: u64) {
        self.now = self.now.wrapping_add(by);
    }

    /// The shape of the term that the repetition has now.
    pub(super) fn shape(&self) -> u64 {
        self.now
    }

    /// After a round that ends with these steps: how many of them there were when the repetition had this term before,
    /// if it did. `depth` is the depth of the term in the whole, `now` gives the term.
    #[inline]
    pub(super) fn returns(
        &mut self,
        steps: &[Step],
        depth: usize,
        budget: &Budget,
        now: impl FnOnce() -> Term,
    ) -> Result<Option<usize>, StopReason> {
        if self.now == self.remembered {
            let now = now();
            if self.term.is_none() {
                self.term = taken_back(&steps[self.mark..], depth, &now, budget)?;
            }
            if self.term.as_ref() == Some(&now) {
                return Ok(Some(self.mark));
            }
        }
        self.rounds += 1;
        if self.rounds == self.renewal {
            (self.remembered, self.term, self.mark) = (self.now, None, steps.len());
            self.rounds = 0;
            self.renewal *= 2;
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
