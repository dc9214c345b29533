//! Empties steps of their terms, for who asks how a run ended and not how it got there: most of what a long run holds is terms
//! that steps led through. Those that a repetition may still go back to, to look for loops, stay until it has ended; the last
//! one says where the next round goes on.

use redexter_language::term::Term;

use super::super::trace::Step;
use super::stack::{Continuation, StackFrame};

/// Keeps how far steps were emptied.
#[derive(Default)]
pub(super) struct StepEmptier {
    emptied: usize,
    /// Once there are so many steps, more are emptied.
    next: usize,
}

/// So many steps are taken in between, or as many as frames wait, so that going through the stack adds little to each step.
const MIN_STEPS_BETWEEN: usize = 16;

impl StepEmptier {
    /// A step was taken, and this waits.
    #[inline]
    pub(super) fn follow(&mut self, steps: &mut [Step], stack: &[StackFrame]) {
        if steps.len() >= self.next {
            self.empty(steps, stack);
        }
    }

    #[cold]
    fn empty(&mut self, steps: &mut [Step], stack: &[StackFrame]) {
        // To look for a loop a repetition takes back the steps since the term that it remembers, so that these need their terms.
        let needed = stack.iter().filter_map(|frame| match &frame.waiting {
            Continuation::Repeat(repeat) | Continuation::Until(_, _, repeat) if repeat.whole.is_some() => {
                Some(repeat.rounds.mark)
            }
            _ => None,
        });
        // The last step stays as it is, because the search asks what it has rewritten.
        let last = steps.len().saturating_sub(1);
        let until = needed.min().unwrap_or(last).min(last);
        // One term for all of them, so that emptied steps hold nothing of their own.
        let nothing = Term::int(0);
        for step in steps.get_mut(self.emptied..until).unwrap_or_default() {
            (step.redex, step.contractum) = (nothing.clone(), nothing.clone());
        }
        self.emptied = until;
        self.next = steps.len() + MIN_STEPS_BETWEEN.max(stack.len());
    }

    /// The others were taken back.
    pub(super) fn keep(&mut self, steps: usize) {
        // Otherwise steps that are taken in place of these would count as emptied.
        self.emptied = self.emptied.min(steps);
    }
}
