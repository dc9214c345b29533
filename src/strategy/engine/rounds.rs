//! The look-out for loops: a repetition that is back at a term that it had goes round for ever.
//!
//! The same rounds are compared as by the reference interpreter's memory (Brent 1980), but by the term's shape first,
//! which is kept up to date by what each round changed. Only terms of equal shape are put together and compared.

use crate::term::Term;

/// One term of a repetition, and how the term that it has now is shaped.
pub(super) struct Rounds {
    term: Term,
    remembered: u64,
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
        Rounds { term: term.clone(), remembered: shape, now: shape, mark, rounds: 0, renewal: 1, before: mark }
    }

    /// A round has changed the shape of the term by so much.
    pub(super) fn moved(&mut self, by: u64) {
        self.now = self.now.wrapping_add(by);
    }

    /// The shape of the term that the repetition has now.
    pub(super) fn shape(&self) -> u64 {
        self.now
    }

    /// Whether the term of this round has to be seen: because it may be the remembered one, or is to be remembered.
    pub(super) fn wants_term(&self) -> bool {
        self.now == self.remembered || self.rounds + 1 == self.renewal
    }

    /// After a round: how many steps there were when the repetition had this term before, if it did.
    pub(super) fn returns(&mut self, now: impl FnOnce() -> Term, mark: usize) -> Option<usize> {
        let wanted = self.wants_term().then(now);
        if self.now == self.remembered && wanted.as_ref() == Some(&self.term) {
            return Some(self.mark);
        }
        self.rounds += 1;
        if let (Some(term), true) = (wanted, self.rounds == self.renewal) {
            (self.term, self.remembered, self.mark) = (term, self.now, mark);
            self.rounds = 0;
            self.renewal *= 2;
        }
        None
    }
}
