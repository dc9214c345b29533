//! Keeps what waits for the strategy that runs: a stack of the engine's own, made of `StackFrame`s.

use redexter_language::term::Term;

use super::super::trace::Step;
use super::code::OpId;
use super::failure_bit::FailureBit;
use super::names::EnclosingNames;
use super::repetition::Repetition;

/// The state before a strategy, to be restored where the strategy fails after it has rewritten something.
#[derive(Clone)]
pub(super) struct SavedState {
    pub(super) term: Term,
    pub(super) steps: usize,
    pub(super) nodes: u64,
    pub(super) most_nodes: u64,
}

/// Where `cheapest(s, t)` stands while t runs: where it began, what s led to, and with which steps.
pub(super) struct FirstOutcome {
    pub(super) before: SavedState,
    pub(super) reached: SavedState,
    pub(super) steps: Vec<Step>,
}

/// What goes on once the strategy that runs has succeeded or failed.
pub(super) enum Continuation {
    /// `b` of `a ; b`, while a runs.
    Then(OpId, SavedState),
    /// While b runs.
    Undo(SavedState),
    /// The choice, while a of `a <+ b` runs.
    Else(OpId),
    /// The choice, while b runs; whether a's failure may hang on anything below.
    Tried(OpId, bool),
    /// `one(s)` while s runs on a child; the child, or what the last round of a repetition made of it.
    One(OpId, Term),
    /// `body(s)` and its like, or a step of `at`; the child as in `One`, and by which bit it remembers that s fails on it.
    Only(OpId, Term, FailureBit),
    /// `all(s)` while s runs on a child; how many steps had been taken before that one.
    All(OpId, SavedState, usize),
    /// `some(s)`, and whether it has succeeded.
    Some(OpId, bool),
    /// `where(s)`, or `not(s)` where false.
    Test(bool, SavedState),
    Repeat(Box<Repetition>),
    /// How many times are left after this one.
    Times(OpId, u64, SavedState, usize),
    /// A row of patterns.
    Until(usize, SavedState, Box<Repetition>),
    /// With where it is, for when a limit ends what runs: the depth of the focus, and the names around.
    Cheaper(SavedState, usize, EnclosingNames),
    /// t of `cheapest(s, t)`, while s runs under `cheaper`.
    Other(OpId, SavedState),
    /// `cheapest(s, t)` while t runs, with where it is as in `Cheaper`.
    Cheapest(Box<FirstOutcome>, usize, EnclosingNames),
    Force,
    /// The names outside of a use of a definition.
    Unfold(EnclosingNames),
}

/// What waits, and its region: the way back to a repetition on which nothing happens but going up. There a success goes
/// straight to the repetition's next round.
pub(super) struct StackFrame {
    pub(super) waiting: Continuation,
    pub(super) region: ResumeRegion,
}

/// Places in the stack, counted from 1; 0 for none.
#[derive(Clone, Copy, Default)]
pub(super) struct ResumeRegion {
    pub(super) repeat: u32,
    /// The innermost `One` or `Only`.
    pub(super) kid: u32,
    /// The outermost `Tried` whose failure may hang on anything further down.
    pub(super) deep: u32,
    /// Something that waits may still take steps back. Known only of runs that can pause.
    pub(super) doubtful: bool,
}

impl Continuation {
    /// Whether a success just goes through. (Out of `force` it comes to where loops are looked for again.)
    fn is_way(&self) -> bool {
        use Continuation::{Else, One, Only, Tried, Unfold};
        matches!(self, Else(..) | Tried(..) | One(..) | Only(..) | Unfold(_))
    }

    /// The region in which this stands, upon what is below it.
    pub(super) fn region(&self, below: ResumeRegion, place: u32) -> ResumeRegion {
        match self {
            // A region of its own, because what waits further out concerns no round of this repetition.
            Continuation::Repeat(repeat) if repeat.reach.is_some() => {
                ResumeRegion { repeat: place, ..ResumeRegion::default() }
            }
            // Here a success does more than go up, so that the next round must not skip it.
            way if !way.is_way() || below.repeat == 0 => ResumeRegion::default(),
            Continuation::One(..) | Continuation::Only(..) => ResumeRegion { kid: place, ..below },
            // The outermost counts, because the next round must ask that one first.
            Continuation::Tried(_, true) if below.deep == 0 => ResumeRegion { deep: place, ..below },
            _ => below,
        }
    }
}
