//! Records what a run did that its steps don't show: where named strategies began, what `cheaper` threw away, and which
//! derivatives couldn't be transposed.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use redexter_language::ground::StopReason;
use redexter_language::term::{Path, Slot, Term};

use super::trace::Step;

/// So many names within one another are told apart.
const MAX_STARTS: usize = 10_000;

/// Of so many times that one began it is kept when.
const MAX_TIMES: usize = 100;

/// So much of what was thrown away is kept.
const MAX_DISCARDED: usize = 100;

/// So many derivatives that couldn't be transposed are kept.
const MAX_REFUSED: usize = 20;

/// Notes that are taken while a run goes on.
#[derive(Clone, Debug, Default)]
pub struct RunNotes {
    begun: Vec<StageStart>,
    known: FxHashMap<Rc<[Rc<str>]>, usize>,
    discarded: Vec<DiscardedSteps>,
    /// How often something was thrown away.
    count: usize,
    refused: Vec<RefusedDerivative>,
}

/// A derivative that couldn't be transposed.
#[derive(Clone, Debug)]
pub struct RefusedDerivative {
    /// The whole term.
    pub whole: Term,
    /// Where in it the array of the derivative's tangents stands.
    pub at: Path,
    /// The way from there to a subterm that isn't linear in their direction.
    pub within: Vec<u32>,
}

/// A named strategy that began.
#[derive(Clone, Debug)]
pub struct StageStart {
    /// Its name behind those around it, outermost first.
    pub within: Rc<[Rc<str>]>,
    /// After how many steps it began, the first so many times.
    pub after: Vec<usize>,
    /// How often it began.
    pub times: u64,
}

/// Steps that `cheaper` or `cheapest` threw away, because they led to more work, or came to a limit.
#[derive(Clone, Debug)]
pub struct DiscardedSteps {
    /// The named strategies around it, outermost first.
    pub within: Rc<[Rc<str>]>,
    /// Where in the whole term: the places on the way there.
    pub way: Vec<Slot>,
    /// After how many steps it began.
    pub after: usize,
    /// The subterm that theirs was compared with: the one before, or that of the other strategy of `cheapest`.
    pub rival: Term,
    /// The steps that were thrown away.
    pub steps: Vec<Step>,
    /// The subterm that they led to.
    pub reached: Term,
    /// The limit that they came to, if one ended them.
    pub limit: Option<StopReason>,
}

impl RunNotes {
    /// In the order in which they began for the first time.
    pub fn begun(&self) -> &[StageStart] {
        &self.begun
    }

    /// The first of what was thrown away, in order.
    pub fn discarded(&self) -> &[DiscardedSteps] {
        &self.discarded
    }

    /// How often something was thrown away.
    pub fn discards(&self) -> usize {
        self.count
    }

    /// The first derivatives that couldn't be transposed.
    pub fn refused(&self) -> &[RefusedDerivative] {
        &self.refused
    }

    pub(super) fn refuses(&mut self, refused: impl FnOnce() -> RefusedDerivative) {
        if self.refused.len() < MAX_REFUSED {
            self.refused.push(refused());
        }
    }

    pub(super) fn begins(&mut self, within: &Rc<[Rc<str>]>, after: usize) {
        if let Some(known) = self.known.get(within) {
            let begun = &mut self.begun[*known];
            begun.times += 1;
            if begun.after.len() < MAX_TIMES {
                begun.after.push(after);
            }
        } else if self.begun.len() < MAX_STARTS {
            self.known.insert(within.clone(), self.begun.len());
            self.begun.push(StageStart { within: within.clone(), after: vec![after], times: 1 });
        }
    }

    pub(super) fn discards_this(&mut self, discarded: impl FnOnce() -> DiscardedSteps) {
        self.count += 1;
        if self.discarded.len() < MAX_DISCARDED {
            self.discarded.push(discarded());
        }
    }
}
