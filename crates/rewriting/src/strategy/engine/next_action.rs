//! Says where the engine goes on after an operation, or how its run ends.

use std::rc::Rc;

use crate::rule::{BinderKinds, KidSet};
use redexter_language::ground::StopReason;
use redexter_language::term::Node;

use super::super::cycle::Cycle;
use super::choices::RuleAlternatives;
use super::code::OpId;
use super::failure_bit::FailureBit;

/// Where the engine goes on.
pub(super) enum NextAction {
    Run(OpId),
    /// Goes on with a search at the focus.
    Search(Box<RedexSearch>),
    Yes,
    /// A failure; true where its reason may lie anywhere below the focus, so that after any rewrite there it is tried again.
    No(bool),
}

/// How a run has ended, or that it pauses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RunStatus {
    Succeeded,
    Failed,
    /// As many steps are settled as were asked for.
    Paused,
}

/// The reason why a run ends before the strategy does.
pub(super) enum EngineHalt {
    Stopped(StopReason),
    Looping(Box<Cycle>),
}

impl From<StopReason> for EngineHalt {
    fn from(reason: StopReason) -> EngineHalt {
        EngineHalt::Stopped(reason)
    }
}

/// The result of trying rules on a term.
pub(super) enum RewriteResult {
    Rewritten,
    /// None applied; the children below which the reason may lie at any depth.
    Missed(KidSet),
}

/// A search for one redex of some rules, as far as it has come.
pub(super) struct RedexSearch {
    pub(super) choices: Rc<RuleAlternatives>,
    /// Whether the rules are tried before the children, or behind them.
    pub(super) outermost: bool,
    /// By which nodes remember that it fails on them.
    pub(super) bit: FailureBit,
    /// The depth of the term that it is applied to.
    pub(super) base: usize,
    /// The repetition whose rounds it goes on with.
    pub(super) around: Option<EnclosingRepeat>,
    /// Whether it is all that this repeats.
    pub(super) whole: bool,
    /// The outermost place of the stack within that where the reason of a failure may lie anywhere below.
    pub(super) deep: Option<usize>,
    /// What was tried before the search on terms around may hang on changes down to this depth.
    pub(super) near: usize,
}

impl RedexSearch {
    /// Whether the rules may apply to a term as far as its constructor says.
    #[inline]
    pub(super) fn may_fit(&self, term: &Node) -> bool {
        self.choices.rules.footprint().may_apply_to(term)
    }

    /// Whether it may succeed on a term as far as the constructors say that occur in it.
    #[inline]
    pub(super) fn may_rewrite(&self, term: &Node) -> bool {
        self.choices.rules.footprint().may_apply_in(term)
    }
}

/// The repetition around a change: its place in the stack, the depth of its term, how far its rules reach.
pub(super) struct EnclosingRepeat {
    pub(super) place: usize,
    pub(super) depth: usize,
    pub(super) reach: usize,
    /// The binders about whose variables' uses they ask.
    pub(super) uses: BinderKinds,
}
