//! Defines [`Walk`], a derivation that one walks: terms form a tree with one of them current, and runs are taken whole or step by
//! step, forth and back.
//!
//! It knows strategies and derivations. It reads no texts but commands' arguments, touches no files, and nothing here knows how
//! things look: a [`QuestionFinding`] says that itself.
//!
//! The state stands in one module, upon what it is made of; a command is a function upon the state, beside its subject; and
//! [`answer`] has them all in one table.

mod addressed;
mod answer;
mod breakpoints;
mod command;
mod condition;
mod control;
mod dispatch;
mod focus;
mod history;
mod log;
mod marks;
mod navigation;
mod owner;
mod places;
mod plot;
mod profile;
mod reached;
mod replay;
mod runs;
mod segments;
mod state;
mod stepping;
mod subterm;
mod take;
mod tracked;

pub use addressed::{addresses, all_pieces};
pub(crate) use addressed::{
    first_match, first_term, marked, no_stage, no_step, no_tag, path, pieces, place_at, placed, tagged,
};
pub use answer::{
    FailedRun, PatternMatches, QuestionFinding, ReplayOutcome, ReplayedRun, RunRemainder, StepPosition, StoppedRun,
    WalkAnswer, WalkResult, WalkRun,
};
pub use command::{FindTarget, WalkCommand};
pub use condition::{Inequality, UntilCondition};
pub use control::{Breakpoint, BreakpointTarget, StepGoal, WalkHalt};
pub use dispatch::answer;
pub use history::History;
pub use log::{LogEntry, log_entries};
pub use navigation::{here, view};
pub use owner::WalkOwner;
pub(crate) use owner::family;
pub use plot::plot;
pub use profile::profile;
pub use reached::{Arrival, DefinitionOrigin, HistoryState};
pub use replay::{last_strategy, replay};
pub use runs::led;
pub(crate) use runs::{AskedDerivation, known};
pub use segments::{HistoryBuilder, HistorySegment, HistoryShape, graft, segments};
pub use state::Walk;
pub use stepping::CHEAPER_MEASURE;
pub use subterm::FocusedSubterm;
pub use take::{begin, go_on, run};
