//! Detects loops while a repetition runs: it is back at a term that it had before, and so will be for ever.

use redexter_language::term::Term;

/// Remembers one term of a repetition, and another one after each power of two of iterations: every loop is found within
/// three times the iterations that it takes to close. (Brent 1980.)
pub(crate) struct LoopDetector {
    term: Term,
    /// How many steps were taken before it.
    mark: usize,
    rounds: u64,
    renewal: u64,
}

impl LoopDetector {
    pub(crate) fn new(term: &Term, mark: usize) -> LoopDetector {
        LoopDetector { term: term.clone(), mark, rounds: 0, renewal: 1 }
    }

    /// After an iteration: how many steps there were when the repetition had this term before, if it did.
    pub(crate) fn returns(&mut self, now: &Term, mark: usize) -> Option<usize> {
        if self.term == *now {
            return Some(self.mark);
        }
        self.rounds += 1;
        if self.rounds == self.renewal {
            *self = LoopDetector { term: now.clone(), mark, rounds: 0, renewal: self.renewal * 2 };
        }
        None
    }
}
