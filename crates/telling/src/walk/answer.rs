//! Defines [`WalkAnswer`], what a command about a derivation comes to, as data.

use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;

use serde_json::Value;

use super::control::{Breakpoint, WalkHalt};
use super::log::LogEntry;
use super::subterm::FocusedSubterm;
use crate::styled::{PageLayout, Styled};
use redexter_language::cost::Poly;
use redexter_language::draw::{Chart, Diagram};
use redexter_language::ground::Trouble;
use redexter_language::term::Program;
use redexter_rewriting::derivation::DerivationView;
use redexter_rewriting::strategy::{Profile, Strategy, Trace};
use redexter_rewriting::why::{DiscardReport, TranspositionReport};

/// The answer to a command about a derivation.
#[derive(Clone, Debug)]
pub enum WalkAnswer {
    /// A strategy ran on the current term.
    Run(WalkRun),
    /// A part of the derivation of the current term.
    Derivation(Box<DerivationView>, StepPosition),
    /// The work over the steps.
    Plot(Box<Chart>),
    /// The cost of trying rules.
    Profile(Profile),
    /// What a question came to; the limit where that isn't all.
    Finding(Rc<dyn QuestionFinding>, Option<Trouble>),
    /// There is no derivation: no strategy took a step.
    NoTrace,
    /// Another term of the derivation is the current one.
    At {
        /// Where it stands.
        place: StepPosition,
        /// The current term.
        now: Program,
        /// Where the focus is, unless on the whole.
        focus: Option<Box<FocusedSubterm>>,
        /// A strategy is pending on it.
        pending: bool,
    },
    /// The subterm in focus.
    Focus(Box<FocusedSubterm>),
    /// The places where a pattern matches.
    Found(PatternMatches),
    /// The subterm in focus has a name now.
    Marked(String),
    /// All such names, each with where its subterm stands, as an address, and whether a rewrite left none; None where
    /// no steps lead to it.
    Marks(Vec<(String, Option<(String, bool)>)>),
    /// Breakpoints: one that was set, or all.
    Breakpoints(Vec<Breakpoint>),
    /// Breakpoints that were removed.
    Removed(Vec<Breakpoint>),
    /// The current term has a tag now.
    Tagged {
        /// The tag.
        name: String,
        /// Another term had it.
        moved: bool,
    },
    /// Every term that was current.
    Log(Vec<LogEntry>),
    /// Two terms, and how they are addressed.
    Difference {
        /// The addresses.
        names: (String, String),
        /// The one.
        before: Program,
        /// The other.
        after: Program,
    },
    /// A strategy failed on the current term.
    Failed(FailedRun),
    /// A strategy ran from an earlier term.
    Replayed(ReplayedRun),
    /// A limit ended a strategy on the current term.
    Stopped(StoppedRun),
    /// More steps were asked for, but the strategy that ran last was done.
    Finished {
        /// The strategy.
        strategy: String,
        /// All of its steps.
        taken: usize,
    },
    /// Pending steps were dropped.
    Dropped {
        /// The strategy.
        strategy: String,
        /// How many steps of it were taken.
        taken: usize,
    },
    /// The current term is an earlier or later one again.
    Moved {
        /// So many changes were taken back, or done again.
        count: usize,
        /// The steps of these changes together.
        steps: usize,
        /// They were taken back.
        back: bool,
        /// The current term.
        now: Program,
        /// Where the focus is, unless on the whole.
        focus: Option<Box<FocusedSubterm>>,
        /// A strategy is pending on it.
        pending: bool,
    },
    /// There is no change to take back, or none to do again.
    NowhereToMove {
        /// Taking back was asked for.
        back: bool,
    },
}

/// The answer, or why there is none.
pub type WalkResult = Result<WalkAnswer, Trouble>;

impl WalkAnswer {
    /// The limit that ended what was asked for.
    pub fn trouble(&self) -> Option<&Trouble> {
        match self {
            WalkAnswer::Stopped(stopped) => Some(&stopped.trouble),
            WalkAnswer::Finding(_, trouble) => trouble.as_ref(),
            WalkAnswer::Replayed(replayed) => replayed.answer.trouble(),
            _ => None,
        }
    }

    /// What a question came to, where that is of this type.
    pub fn found<T: QuestionFinding>(&self) -> Option<&T> {
        match self {
            WalkAnswer::Finding(found, _) => (&**found as &dyn Any).downcast_ref(),
            _ => None,
        }
    }
}

/// What a question comes to, for people and for other programs.
pub trait QuestionFinding: Any + Debug {
    /// As text.
    fn text(&self, page: PageLayout) -> Styled;

    /// As JSON.
    fn json(&self) -> Value;

    /// As a drawing, where it has one.
    fn drawing(&self) -> Option<Diagram> {
        None
    }

    /// The name by which the page knows it, where that shows more of it than its text.
    fn kind(&self) -> &'static str {
        "walk"
    }
}

/// The position of the current term in its derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepPosition {
    /// The number of steps before it.
    pub step: usize,
    /// The number of all steps of the derivation.
    pub of: usize,
}

/// Steps of a run that were taken at once.
#[derive(Clone, Debug)]
pub struct WalkRun {
    /// The strategy as it prints.
    pub strategy: String,
    /// The program before the first of these steps.
    pub before: Program,
    /// These steps.
    pub trace: Rc<Trace>,
    /// The number of the first of these steps in the derivation, from 1.
    pub first: usize,
    /// The number of steps of the run that were taken before these.
    pub earlier: usize,
    /// Whether the strategy has more to do.
    pub rest: RunRemainder,
    /// The program after the last of these steps.
    pub after: Program,
    /// The steps that `cheaper` threw away first, and how often it did; where a run took no step.
    pub discarded: Option<Box<(DiscardReport, usize)>>,
    /// How it went about transposing derivatives, if there is something to say; of a whole run of many steps.
    pub transposition: Option<Box<TranspositionReport>>,
    /// The reason why the steps end before the strategy does, or that what was waited for never came.
    pub halt: Option<WalkHalt>,
    /// The focus then, unless it is on the whole.
    pub focus: Option<Box<FocusedSubterm>>,
}

/// The places where a pattern matches.
#[derive(Clone, Debug)]
pub struct PatternMatches {
    /// The pattern.
    pub pattern: String,
    /// The address at which it was looked for.
    pub within: String,
    /// The first places.
    pub places: Vec<FocusedSubterm>,
    /// How many there are.
    pub count: usize,
}

/// The rest of a run behind the steps that were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunRemainder {
    /// Nothing: the strategy is done.
    None,
    /// More, when it is asked for.
    Pending,
    /// A limit ended the strategy here.
    Unknown,
}

impl WalkRun {
    /// The steps of the whole run so far.
    pub fn taken(&self) -> usize {
        self.earlier + self.trace.steps.len()
    }
}

/// A strategy that failed.
#[derive(Clone, Debug)]
pub struct FailedRun {
    /// The strategy as it prints.
    pub strategy: String,
    /// Why.
    pub reason: String,
    /// The advice on what to try.
    pub remedy: String,
    /// So many of its steps had been taken one by one.
    pub taken: usize,
}

impl FailedRun {
    /// Of this strategy, for this reason, with this advice, after so many steps.
    pub(crate) fn of(strategy: &Strategy, reason: &dyn ToString, remedy: String, taken: usize) -> FailedRun {
        FailedRun { strategy: strategy.to_string(), reason: reason.to_string(), remedy, taken }
    }
}

/// A strategy that a limit ended.
#[derive(Clone, Debug)]
pub struct StoppedRun {
    /// The limit, and what became of the term.
    pub trouble: Trouble,
    /// The steps so far where the term after them became the current one.
    pub run: Option<WalkRun>,
}

/// A strategy that ran from an earlier term.
#[derive(Clone, Debug)]
pub struct ReplayedRun {
    /// It ran from the term after so many steps.
    pub from: usize,
    /// The answer to running it.
    pub answer: Box<WalkAnswer>,
    /// The steps that had been taken from there before, if any.
    pub old: Option<ReplayOutcome>,
    /// The steps that are taken from there now.
    pub new: ReplayOutcome,
}

/// The outcome of some steps.
#[derive(Clone, Debug)]
pub struct ReplayOutcome {
    /// So many steps were taken before them.
    pub from: usize,
    /// How many they are.
    pub steps: usize,
    /// The work of the term after them.
    pub work: Poly,
    /// A tag of that term.
    pub tag: Option<String>,
}
